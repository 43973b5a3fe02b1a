// Drafts: what stands in <form data-draft-url="…"> is never lost.
//
// Every change is kept in this browser at once and on the server a moment later.
// Another tab or device that saved first is not overwritten: both versions are shown
// and the person chooses. After a lost session, an expired token or a dropped
// connection the copy of this browser comes back when the same person opens the same
// form again; nobody else who signs in here gets it.
//
// Attributes of the form: data-draft-url; data-draft-version, the version that the
// server has filled it from (asked for if it is missing); data-draft-base, what the
// form is about in the version at hand, so that copies of older ones are left alone;
// data-draft-stays, for a form that a module sends without leaving the page: the module
// says when it was taken, and until then nothing is forgotten.

import { csrfToken } from "./csrf.js";

const SAVE_AFTER_MS = 800;
const RETRY_AFTER_MS = 5000;
const KEEP_DAYS = 30;
const PREFIX = "claimdesk.draft.";
const SENT = "claimdesk.sent";
const NOT_KEPT = new Set([
  "csrfmiddlewaretoken",
  "submission_key",
  "active_seconds",
  "elapsed_seconds",
  "as_user",
]);

/** @typedef {Record<string, string | string[]>} Content */
/**
 * @typedef {{content: Content, version: number, base: string, at: number,
 *   tab: string}} Copy
 */
/** @typedef {{version: number, content: Content | null}} Kept */

/** Who is signed in on this page; nothing is kept for anybody else. */
const user = document.body.dataset.user ?? "";
const tab = tabName();

/** @returns {string} */
function tabName() {
  try {
    const known = sessionStorage.getItem("claimdesk.tab");
    if (known) return known;
    const fresh = Math.random().toString(36).slice(2);
    sessionStorage.setItem("claimdesk.tab", fresh);
    return fresh;
  } catch {
    return "only";
  }
}

/**
 * What a form holds: a text for each field, a list for a field that has several.
 * @param {HTMLFormElement} form
 * @returns {Content}
 */
export function contentOf(form) {
  /** @type {Content} */
  const content = {};
  for (const [name, value] of new FormData(form)) {
    if (NOT_KEPT.has(name) || typeof value !== "string" || value === "") continue;
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement && field.type === "hidden") continue;
    const text = value.replace(/\r\n?/g, "\n");
    const before = content[name];
    if (before === undefined) content[name] = text;
    else content[name] = [...(Array.isArray(before) ? before : [before]), text];
  }
  return content;
}

/**
 * @param {HTMLFormElement} form
 * @param {Content} content
 */
function fill(form, content) {
  for (const field of form.elements) {
    if (
      !(field instanceof HTMLInputElement) &&
      !(field instanceof HTMLSelectElement) &&
      !(field instanceof HTMLTextAreaElement)
    )
      continue;
    if (!field.name || NOT_KEPT.has(field.name) || field.type === "file") continue;
    const value = content[field.name];
    const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
    if (field instanceof HTMLInputElement && /^(radio|checkbox)$/.test(field.type)) {
      field.checked = values.includes(field.value);
    } else if (field instanceof HTMLSelectElement && field.multiple) {
      for (const option of field.options) option.selected = values.includes(option.value);
    } else if (field.type !== "hidden") {
      field.value = values[0] ?? "";
    }
  }
  form.dispatchEvent(new CustomEvent("draft:filled", { bubbles: true }));
}

/**
 * @param {Content} one
 * @param {Content} other
 * @returns {boolean}
 */
function isSame(one, other) {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every(
    (name) => JSON.stringify(one[name] ?? "") === JSON.stringify(other[name] ?? ""),
  );
}

// ---------- the copies of this browser ----------

/** @param {string} url */
const keyOf = (url) => `${PREFIX}${user}.${url}#${tab}`;

/**
 * Every copy that this person has of a form, newest first.
 * @param {string} url
 * @returns {{key: string, copy: Copy}[]}
 */
function copiesOf(url) {
  const found = [];
  try {
    for (let index = 0; index < localStorage.length; index += 1) {
      const key = localStorage.key(index) ?? "";
      if (!key.startsWith(`${PREFIX}${user}.${url}#`)) continue;
      /** @type {Copy} */
      const copy = JSON.parse(localStorage.getItem(key) ?? "{}");
      if (copy.content) found.push({ key, copy });
    }
  } catch {
    // Storage is forbidden or holds something else: there is no copy.
  }
  return found.sort((one, other) => other.copy.at - one.copy.at);
}

/**
 * @param {string} key
 * @param {Copy | null} copy
 */
function store(key, copy) {
  try {
    if (copy) localStorage.setItem(key, JSON.stringify(copy));
    else localStorage.removeItem(key);
  } catch {
    // The server keeps the draft all the same.
  }
}

/** @param {string} url */
export function forgetCopies(url) {
  for (const { key } of copiesOf(url)) store(key, null);
}

/** Copies that nobody came back for. */
function forgetOldCopies() {
  const oldest = Date.now() - KEEP_DAYS * 24 * 3600 * 1000;
  try {
    for (const key of Object.keys(localStorage)) {
      if (!key.startsWith(PREFIX)) continue;
      const at = JSON.parse(localStorage.getItem(key) ?? "{}").at ?? 0;
      if (at < oldest) localStorage.removeItem(key);
    }
  } catch {
    // Nothing can be kept, so nothing is old.
  }
}

// ---------- one form ----------

/** A form whose content is kept. */
class DraftForm {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.url = form.dataset.draftUrl ?? "";
    this.base = form.dataset.draftBase ?? "";
    this.version = Number(form.dataset.draftVersion ?? 0);
    this.saved = contentOf(form);
    this.timer = 0;
    this.isSaving = false;
    this.isStopped = false;
    /** @type {HTMLElement | null} */
    this.status = form.querySelector("[data-draft-status]");
    form.addEventListener("input", () => this.changed());
    form.addEventListener("change", () => this.changed());
    form.addEventListener("submit", () => this.sending());
  }

  /** Bring back what this person typed before, here or elsewhere. */
  async restore() {
    if (this.form.dataset.draftVersion === undefined) {
      const kept = await this.ask();
      if (kept?.content && isSame(contentOf(this.form), this.saved)) {
        this.version = kept.version;
        this.saved = kept.content;
        fill(this.form, kept.content);
        this.tell("Restored what you had filled in.");
      }
    }
    const newest = copiesOf(this.url).find(({ copy }) => copy.base === this.base);
    if (!newest || isSame(newest.copy.content, contentOf(this.form))) return;
    const { copy } = newest;
    if (copy.version === this.version) {
      fill(this.form, copy.content);
      this.tell("Restored what you had filled in.");
      this.changed();
    } else {
      const server = { version: this.version, content: contentOf(this.form) };
      this.choose(copy.content, server);
    }
  }

  /** @returns {Promise<Kept | null>} */
  async ask() {
    try {
      const response = await fetch(this.url, { redirect: "manual" });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }

  changed() {
    if (this.isStopped) return;
    const content = contentOf(this.form);
    store(keyOf(this.url), {
      content,
      version: this.version,
      base: this.base,
      at: Date.now(),
      tab,
    });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.save(), SAVE_AFTER_MS);
  }

  /** @param {boolean} isLeaving */
  async save(isLeaving = false) {
    clearTimeout(this.timer);
    const content = contentOf(this.form);
    if (this.isStopped || this.isSaving || isSame(content, this.saved)) return;
    this.isSaving = true;
    try {
      const response = await fetch(this.url, {
        method: "POST",
        body: new URLSearchParams({
          content: JSON.stringify(content),
          version: String(this.version),
          user,
        }),
        headers: { "X-CSRFToken": csrfToken() },
        redirect: "manual",
        keepalive: isLeaving,
      });
      await this.answered(response, content);
    } catch {
      this.tell("Kept in this browser; the server cannot be reached.");
      this.timer = setTimeout(() => void this.save(), RETRY_AFTER_MS);
    } finally {
      this.isSaving = false;
    }
    if (!this.isStopped && !isSame(contentOf(this.form), content)) this.changed();
  }

  /**
   * @param {Response} response
   * @param {Content} content
   */
  async answered(response, content) {
    if (this.isStopped) return;
    if (response.ok) {
      this.version = (await response.json()).version;
      this.saved = content;
      store(keyOf(this.url), null);
      this.tell("Draft saved.");
    } else if (response.status === 409) {
      /** @type {Kept} */
      const kept = await response.json();
      if (kept.content) this.choose(content, kept);
      else this.tell("This was submitted in another tab. Your answer here is not.");
    } else if (response.type === "opaqueredirect" || response.status === 403) {
      this.tell("Kept in this browser. You are signed out: sign in again to go on.");
    } else {
      this.tell("Kept in this browser; the server did not take it.");
    }
  }

  /** The form is on its way; as a rule the page is about to be left with it. */
  sending() {
    clearTimeout(this.timer);
    const token = this.form.querySelector("input[name=csrfmiddlewaretoken]");
    if (token instanceof HTMLInputElement) token.value = csrfToken() || token.value;
    const content = contentOf(this.form);
    const { url, base, version } = this;
    store(keyOf(url), { content, version, base, at: Date.now(), tab });
    if (this.form.hasAttribute("data-draft-stays")) return;
    try {
      sessionStorage.setItem(SENT, url);
    } catch {
      // Without storage there is no copy to clear away either.
    }
  }

  /** Stop keeping: the answer has been submitted. */
  stop() {
    this.isStopped = true;
    clearTimeout(this.timer);
    forgetCopies(this.url);
  }

  /** @param {string} words */
  tell(words) {
    if (this.status) this.status.textContent = words;
  }

  /**
   * Show both versions; nothing is saved until one of them is chosen.
   * @param {Content} here
   * @param {Kept} there
   */
  choose(here, there) {
    const template = document.getElementById("draft-conflict");
    if (!(template instanceof HTMLTemplateElement)) return;
    this.form.querySelector("[data-draft-conflict]")?.remove();
    const panel = document.createElement("div");
    panel.dataset.draftConflict = "";
    panel.append(template.content.cloneNode(true));
    const other = there.content ?? {};
    list(panel.querySelector("[data-here]"), describe(this.form, here, other));
    list(panel.querySelector("[data-there]"), describe(this.form, other, here));
    const pick = (/** @type {Content} */ content) => {
      panel.remove();
      this.isStopped = false;
      this.version = there.version;
      this.saved = other;
      fill(this.form, content);
      this.tell("");
      this.changed();
      this.form.dispatchEvent(new CustomEvent("draft:chosen", { bubbles: true }));
    };
    panel.querySelector("[data-keep-here]")?.addEventListener("click", () => pick(here));
    panel.querySelector("[data-keep-there]")?.addEventListener("click", () => pick(other));
    this.isStopped = true;
    this.form.prepend(panel);
    const heading = panel.querySelector("h2");
    heading?.focus();
  }
}

/**
 * Where two versions differ, in the words of the form's labels.
 * @param {HTMLFormElement} form
 * @param {Content} one
 * @param {Content} other
 * @returns {string[]}
 */
function describe(form, one, other) {
  const lines = [];
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const value = one[name] ?? "";
    if (JSON.stringify(value) === JSON.stringify(other[name] ?? "")) continue;
    const words = (Array.isArray(value) ? value : [value]).map((v) => inWords(form, name, v));
    lines.push(`${labelOf(form, name)}: ${words.join(", ") || "–"}`);
  }
  return lines;
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {string}
 */
function labelOf(form, name) {
  const field = form.elements.namedItem(name);
  if (field instanceof RadioNodeList) {
    const first = field[0];
    const group = first instanceof Element ? first.closest("fieldset") : null;
    return group?.querySelector("legend")?.textContent?.trim() || name.replace(/_/g, " ");
  }
  const label =
    field instanceof HTMLInputElement ||
    field instanceof HTMLSelectElement ||
    field instanceof HTMLTextAreaElement
      ? field.labels?.[0]
      : null;
  return label?.textContent?.trim() || name.replace(/_/g, " ");
}

/**
 * What a reader sees for a value: the words of its option or button.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string} value
 * @returns {string}
 */
function inWords(form, name, value) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLSelectElement) {
    const option = [...field.options].find((o) => o.value === value);
    return option?.text.trim() ?? value;
  }
  const inputs = field instanceof RadioNodeList ? [...field] : [field];
  const input = inputs.find((i) => i instanceof HTMLInputElement && i.value === value);
  if (input instanceof HTMLInputElement && /^(radio|checkbox)$/.test(input.type)) {
    return input.dataset.words ?? input.labels?.[0]?.textContent?.trim() ?? value;
  }
  return value;
}

/**
 * @param {Element | null} place
 * @param {string[]} lines
 */
function list(place, lines) {
  if (!place) return;
  place.replaceChildren(
    ...lines.map((line) => {
      const item = document.createElement("li");
      item.textContent = line;
      item.dir = "auto";
      return item;
    }),
  );
}

// ---------- all forms of the page ----------

/** @type {WeakMap<HTMLFormElement, DraftForm>} */
const known = new WeakMap();

/**
 * The keeper of a form, for a page that submits by itself.
 * @param {HTMLFormElement} form
 * @returns {DraftForm | undefined}
 */
export function draftOf(form) {
  return known.get(form);
}

/**
 * Keep every form within a piece of the page that is not kept yet.
 * @param {ParentNode} within
 */
export function keepDrafts(within = document) {
  if (!user) return;
  for (const form of within.querySelectorAll("form[data-draft-url]")) {
    if (!(form instanceof HTMLFormElement) || known.has(form)) continue;
    const draft = new DraftForm(form);
    known.set(form, draft);
    void draft.restore();
  }
}

/**
 * A form that was sent and is not here again has been taken. It was not, if the page
 * that follows is an error, or nobody is signed in on it.
 */
function forgetSent() {
  let url = "";
  try {
    url = sessionStorage.getItem(SENT) ?? "";
    sessionStorage.removeItem(SENT);
    if (!url || !user || document.querySelector("[data-not-taken]")) return;
  } catch {
    return;
  }
  if (!document.querySelector(`form[data-draft-url="${CSS.escape(url)}"]`)) {
    forgetCopies(url);
  }
}

addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "hidden") return;
  for (const form of document.querySelectorAll("form[data-draft-url]")) {
    if (form instanceof HTMLFormElement) void known.get(form)?.save(true);
  }
});

forgetSent();
forgetOldCopies();
keepDrafts();
document.addEventListener("htmx:afterSettle", () => keepDrafts());
