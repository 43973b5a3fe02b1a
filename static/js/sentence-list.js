// The sentences of an abstract as a listbox. The fields of the form stay the truth:
// each sentence has one, which holds the number of its rationale (or its role), and
// without this module people fill them in by hand.

import { isForWidget } from "./shortcuts.js";

const CYCLE = ["", "PRIMARY", "SUPPLEMENTARY"];
const SHORT = { PRIMARY: "P", SUPPLEMENTARY: "S" };

/**
 * @typedef {{
 *   item: HTMLElement,
 *   field: HTMLInputElement | HTMLSelectElement | null,
 *   marks: HTMLElement | null,
 *   tag: string,
 * }} Row
 */

export class SentenceList {
  /**
   * @param {HTMLFormElement} form
   * @param {(words: string) => void} tell says something to a screen reader
   */
  constructor(form, tell) {
    this.form = form;
    this.tell = tell;
    const list = form.querySelector("[data-sentences]");
    if (!(list instanceof HTMLElement)) throw new Error("no sentences");
    this.list = list;
    this.hasRoles = form.dataset.roles === "yes";
    this.hasSeveral = form.dataset.rationales === "all";
    this.isOpen = form.dataset.rationales !== "none";
    /** @type {Row[]} */
    this.rows = [...list.querySelectorAll("[data-sentence]")].flatMap((item) => {
      if (!(item instanceof HTMLElement)) return [];
      const field = item.querySelector("input, select");
      const marks = item.querySelector("[data-marks]");
      const isField =
        field instanceof HTMLInputElement || field instanceof HTMLSelectElement;
      return [
        {
          item,
          field: isField ? field : null,
          marks: marks instanceof HTMLElement ? marks : null,
          tag: item.dataset.tag ?? "",
        },
      ];
    });
    /** The rationale that letters fill; what is typed for a tag of two so far. */
    this.active = 1;
    this.typed = "";
    this.current = 0;
    this.takeRoles();
    this.listen();
    this.active = Math.max(1, this.count());
    this.show();
  }

  takeRoles() {
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-multiselectable", "true");
    this.list.tabIndex = 0;
    for (const { item } of this.rows) item.setAttribute("role", "option");
  }

  listen() {
    this.list.addEventListener("keydown", (event) => this.pressed(event));
    this.list.addEventListener("blur", () => this.type(""));
    this.list.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target : null;
      const item = target?.closest("[data-sentence]");
      const index = this.rows.findIndex((row) => row.item === item);
      // Whoever selects words to copy them does not choose a sentence.
      if (index < 0 || !getSelection()?.isCollapsed) return;
      this.move(index);
      this.toggle(index);
      this.list.focus({ preventScroll: true });
    });
    this.form.addEventListener("draft:filled", () => {
      this.active = Math.max(1, this.count());
      this.show();
    });
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (!isForWidget(this.list, event)) return;
    const last = this.rows.length - 1;
    /** @type {Record<string, () => void>} */
    const plain = {
      ArrowDown: () => this.move(Math.min(this.current + 1, last)),
      ArrowUp: () => this.move(Math.max(this.current - 1, 0)),
      Home: () => this.move(0),
      End: () => this.move(last),
      " ": () => !event.repeat && this.toggle(this.current),
      Enter: () => !event.repeat && this.form.requestSubmit(),
    };
    const act = event.shiftKey ? undefined : plain[event.key];
    if (act) {
      event.preventDefault();
      act();
    } else if (event.key === "Escape" && this.typed) {
      event.preventDefault();
      this.type("");
    } else if (!event.shiftKey && !event.repeat) {
      this.typeTag(event);
    }
  }

  /**
   * A letter is a tag, or the first of a tag of two.
   * @param {KeyboardEvent} event
   */
  typeTag(event) {
    const typed = this.typed + event.key.toLowerCase();
    const index = this.rows.findIndex((row) => row.tag && row.tag === typed);
    const isBeginning = this.rows.some((row) => row.tag.startsWith(typed));
    if (index >= 0) {
      event.preventDefault();
      this.type("");
      this.move(index);
      this.toggle(index);
    } else if (isBeginning) {
      event.preventDefault();
      this.type(typed);
    } else if (this.typed) {
      this.type("");
    }
  }

  /** @param {string} letters */
  type(letters) {
    this.typed = letters;
    for (const { item, tag } of this.rows) {
      item.classList.toggle("is-possible", letters !== "" && tag.startsWith(letters));
    }
    if (letters) this.tell(`${letters.toUpperCase()}, and one more letter`);
  }

  /**
   * Make a sentence the current one, within sight.
   * @param {number} index
   */
  move(index) {
    this.current = index;
    const row = this.rows[index];
    for (const { item } of this.rows) item.classList.toggle("is-current", item === row?.item);
    if (!row) return;
    this.list.setAttribute("aria-activedescendant", row.item.id);
    row.item.scrollIntoView({ block: "nearest" });
  }

  /**
   * Put a sentence into the rationale at hand, or take it out. One that is in another
   * rationale moves over, as no sentence is in two.
   * @param {number} index
   */
  toggle(index) {
    const row = this.rows[index];
    if (!row?.field || !this.isOpen) return;
    const before = row.field.value;
    row.field.value = this.hasRoles ? this.nextRole(before) : this.nextNumber(before);
    this.tell(this.outcome(row, before));
    this.close();
    this.show();
    this.form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** @param {string} before */
  nextRole(before) {
    return CYCLE[(CYCLE.indexOf(before) + 1) % CYCLE.length] ?? "";
  }

  /** @param {string} before */
  nextNumber(before) {
    return before === String(this.active) ? "" : String(this.active);
  }

  /**
   * @param {Row} row
   * @param {string} before
   * @returns {string}
   */
  outcome(row, before) {
    const name = `Sentence ${row.tag ? row.tag.toUpperCase() : this.rows.indexOf(row) + 1}`;
    const value = row.field?.value;
    if (!value) return `${name} taken out`;
    if (this.hasRoles) return `${name} ${value.toLowerCase()}`;
    const moved = before ? `moved from rationale ${before} to` : "in rationale";
    return `${name} ${moved} ${value}`;
  }

  /** Number the rationales without gaps: one that lost its last sentence is gone. */
  close() {
    if (this.hasRoles) return;
    const used = this.used();
    for (const { field } of this.rows) {
      if (field?.value) field.value = String(used.indexOf(Number(field.value)) + 1);
    }
    const place = used.indexOf(this.active);
    this.active = place >= 0 ? place + 1 : used.length + 1;
  }

  /** @returns {number[]} the numbers of rationales that have sentences, in order */
  used() {
    const values = this.rows.map(({ field }) => Number(field?.value)).filter((n) => n > 0);
    return [...new Set(values)].sort((one, other) => one - other);
  }

  /** @returns {number} how many rationales there are */
  count() {
    if (this.hasRoles) return this.rows.some(({ field }) => field?.value) ? 1 : 0;
    return this.used().length;
  }

  /** Whether any sentence is chosen. */
  get isEmpty() {
    return this.count() === 0;
  }

  /** On to the next rationale; after the last, to a new one; from there to the first. */
  nextRationale() {
    if (!this.hasSeveral) return;
    if (this.isEmpty) {
      this.tell("Rationale 1 is still empty");
      return;
    }
    this.choose(this.active > this.count() ? 1 : this.active + 1);
  }

  /** @param {number} number */
  choose(number) {
    this.active = number;
    const isNew = number > this.count();
    this.tell(isNew ? `New rationale ${number}` : `Rationale ${number}`);
    this.show();
  }

  /** Take all sentences out. */
  clear() {
    this.put([]);
  }

  /** @returns {string[]} what the field of each sentence holds */
  values() {
    return this.rows.map(({ field }) => field?.value ?? "");
  }

  /**
   * Fill the fields of all sentences; those that are not named become empty.
   * @param {string[]} values
   */
  put(values) {
    this.rows.forEach(({ field }, index) => {
      if (field) field.value = values[index] ?? "";
    });
    this.active = Math.max(1, this.count());
    this.show();
    this.form.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /**
   * Make these sentences the answer's one rationale.
   * @param {number[]} indices
   */
  take(indices) {
    const chosen = this.hasRoles ? "PRIMARY" : "1";
    this.put(this.rows.map((_, index) => (indices.includes(index) ? chosen : "")));
  }

  /**
   * The tags of the sentences of one rationale.
   * @param {number} number
   * @returns {string[]}
   */
  tagsOf(number) {
    return this.rows
      .filter(({ field }) => (this.hasRoles ? field?.value : Number(field?.value) === number))
      .map((row) => (row.tag ? row.tag.toUpperCase() : String(this.rows.indexOf(row) + 1)));
  }

  /** Show at each sentence what its field holds. */
  show() {
    for (const row of this.rows) {
      const value = row.field?.value ?? "";
      const { item, marks } = row;
      item.setAttribute("aria-selected", String(value !== ""));
      item.classList.toggle("is-rationale", value !== "");
      item.classList.toggle("is-supplementary", value === "SUPPLEMENTARY");
      item.classList.toggle("is-elsewhere", !this.hasRoles && value !== "" && Number(value) !== this.active);
      marks?.replaceChildren(...(value ? [badge(value)] : []));
    }
    this.form.dispatchEvent(new CustomEvent("sentences:shown"));
  }
}

/**
 * The badge at a sentence's edge: words for a screen reader, a number for the eye.
 * @param {string} value
 * @returns {HTMLElement}
 */
function badge(value) {
  const mark = document.createElement("span");
  mark.className = "cd-mark";
  if (value === "SUPPLEMENTARY") mark.classList.add("cd-mark-supplementary");
  const short = value === "PRIMARY" || value === "SUPPLEMENTARY" ? SHORT[value] : value;
  const words = document.createElement("span");
  words.className = "visually-hidden";
  words.textContent = short === value ? " – in rationale " : ` – ${value.toLowerCase()} `;
  const sign = document.createElement("span");
  sign.textContent = short;
  if (short !== value) sign.setAttribute("aria-hidden", "true");
  mark.append(words, sign);
  return mark;
}
