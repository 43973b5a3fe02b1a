// What a model suggests for the pair on the page. The server decides whether and when
// it is shown: until the page has asked, as the project's rule allows, it knows nothing
// of it. What is taken over stands in the form like any other answer, and can be put
// back; the parts that were taken go along with the answer.

/**
 * @typedef {{
 *   form: HTMLFormElement,
 *   box: HTMLElement,
 *   list: import("./sentence-list.js").SentenceList,
 *   labels: HTMLInputElement[],
 *   tell: (words: string) => void,
 *   ask: () => Promise<Response>,
 * }} Parts
 */
/** @typedef {{label: string, percents: Record<string, string>, scores: Record<string, string>}} Shown */
/** @typedef {{label: HTMLInputElement | undefined, values: string[]}} Answer */

export class Suggestion {
  /** @param {Parts} parts */
  constructor({ form, box, list, labels, tell, ask }) {
    this.form = form;
    this.box = box;
    this.list = list;
    this.labels = labels;
    this.tell = tell;
    this.ask = ask;
    this.isAsking = false;
    this.isAnswered = false;
    /** @type {Shown | null} */
    this.shown = null;
    /** @type {Answer | null} what stood there before it was taken over */
    this.before = null;
    this.read();
  }

  /** Ask once the annotator has chosen a label by themselves, where that is the rule. */
  follow() {
    const isTime = this.box.dataset.policy === "after_first_choice";
    if (isTime && this.labels.some((input) => input.checked)) void this.request();
  }

  /** The key: ask, take all over, or put back. */
  pressed() {
    if (this.before) this.putBack();
    else if (this.shown) this.act("take_all");
    else if (this.box.dataset.policy === "on_demand") void this.request();
    else this.tell("There is nothing to take over.");
  }

  /** @param {string} name */
  act(name) {
    if (name === "ask") void this.request();
    if (name === "take_all") this.take(["label", "sentences"]);
    if (name === "take_label") this.take(["label"]);
    if (name === "take_sentences") this.take(["sentences"]);
    if (name === "put_back") this.putBack();
  }

  async request() {
    if (this.isAsking || this.isAnswered || this.shown) return;
    this.isAsking = true;
    try {
      const response = await this.ask();
      const html = response.status === 200 ? await response.text() : "";
      this.isAnswered = response.status === 200 || response.status === 204;
      if (this.isAnswered) this.put(html);
    } catch {
      // The network: asked again with the next change, or the next press.
    } finally {
      this.isAsking = false;
    }
  }

  /** @param {string} html */
  put(html) {
    const place = this.box.querySelector("[data-suggestion-place]");
    if (place) place.innerHTML = html;
    this.box.querySelector("[data-act=ask]")?.remove();
    this.read();
    const words = this.box.querySelector("[data-suggestion-words]");
    if (words) this.announce(spoken(words));
    else if (this.box.dataset.policy === "on_demand") this.say("There is no suggestion for this pair.");
  }

  /** @param {string} words */
  say(words) {
    const place = this.box.querySelector("[data-suggestion-place]");
    if (place) place.textContent = words;
    this.announce(words);
  }

  /**
   * Say it, unless the annotator has gone on to another pair by now.
   * @param {string} words
   */
  announce(words) {
    if (this.box.isConnected) this.tell(words);
  }

  /** Mark what the fragment on the page suggests. */
  read() {
    const found = this.box.querySelector("[data-suggested]");
    if (!(found instanceof HTMLElement)) return;
    this.isAnswered = true;
    if (!found.querySelector("[data-act=take_all]")) return;
    /** @type {Shown} */
    const shown = JSON.parse(found.dataset.suggested ?? "{}");
    this.shown = shown;
    for (const [index, score] of Object.entries(shown.scores)) {
      const item = this.list.rows[Number(index)]?.item;
      item?.classList.add("is-suggested");
      item?.querySelector(".cd-sentence-text")?.append(sign(score));
    }
    for (const input of this.labels) {
      const percent = shown.percents[input.value];
      if (percent) input.parentElement?.querySelector(".cd-label")?.after(share(percent));
    }
  }

  /** @returns {Answer} */
  answer() {
    return { label: this.labels.find((input) => input.checked), values: this.list.values() };
  }

  /** @param {string[]} parts */
  take(parts) {
    const { shown } = this;
    if (!shown) return;
    this.before ??= this.answer();
    const input = this.labels.find(({ value }) => value === shown.label);
    const sentences = Object.keys(shown.scores).map(Number);
    const has = {
      label: parts.includes("label") && input !== undefined,
      sentences: parts.includes("sentences") && sentences.length > 0 && this.list.isOpen,
    };
    this.note([...(has.label ? ["label"] : []), ...(has.sentences ? ["sentences"] : [])]);
    if (has.label && input) input.checked = true;
    if (has.sentences) this.list.take(sentences);
    else this.changed();
    this.tell(`Taken over. ${input && has.label ? (input.dataset.words ?? "") : ""}`.trim());
  }

  putBack() {
    const { before } = this;
    if (!before) return;
    this.before = null;
    this.note(null);
    for (const input of this.labels) input.checked = input === before.label;
    this.list.put(before.values);
    this.tell("Put back what was there.");
  }

  /**
   * Keep which parts were taken over, beside those before; null forgets them all.
   * @param {string[] | null} parts
   */
  note(parts) {
    const field = this.box.querySelector("[data-suggestion-taken]");
    const known = field instanceof HTMLInputElement ? field.value.split(" ") : [];
    const all = parts ? ["label", "sentences"].filter((p) => parts.includes(p) || known.includes(p)) : [];
    if (field instanceof HTMLInputElement) field.value = all.join(" ");
    const back = this.box.querySelector("[data-act=put_back]");
    if (back instanceof HTMLElement) back.hidden = parts === null;
  }

  changed() {
    this.form.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

/**
 * What a screen reader says of an element.
 * @param {Element} element
 * @returns {string}
 */
function spoken(element) {
  const copy = element.cloneNode(true);
  if (!(copy instanceof Element)) return "";
  for (const hidden of copy.querySelectorAll("[aria-hidden]")) hidden.remove();
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
}

/**
 * The sign at a suggested sentence: a star for the eye, words for a screen reader.
 * @param {string} score
 * @returns {HTMLElement}
 */
function sign(score) {
  const made = document.createElement("span");
  made.className = "cd-suggested-mark";
  const words = document.createElement("span");
  words.className = "visually-hidden";
  words.textContent = " – suggested, score ";
  const star = document.createElement("span");
  star.setAttribute("aria-hidden", "true");
  star.textContent = "✦ ";
  made.append(words, star, score);
  return made;
}

/**
 * @param {string} percent
 * @returns {HTMLElement}
 */
function share(percent) {
  const made = document.createElement("span");
  made.className = "cd-suggested-share";
  const words = document.createElement("span");
  words.className = "visually-hidden";
  words.textContent = "model: ";
  made.append(words, percent);
  return made;
}
