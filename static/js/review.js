// The keyboard of a reviewer: one sentence is at hand, single keys decide.
//
// The widget is the list of sentences (or, where claims are proofread, the claim); keys
// act only while it has the focus. Escape leads back to it from every field of the form.

import { bindShortcuts } from "./shortcuts.js";

const form = document.getElementById("decide");
const widget =
  document.getElementById("sentences") ?? document.querySelector("[data-review-keys]");

/** @param {string} action @returns {HTMLElement | null} */
const control = (action) => document.querySelector(`[data-action="${action}"]`);

// ---------- comments: a field shows itself when it is wanted or holds something ----------

/** @returns {HTMLElement[]} */
const comments = () => [...document.querySelectorAll("[data-comment]")].filter(isElement);

/** @param {Element} node @returns {node is HTMLElement} */
function isElement(node) {
  return node instanceof HTMLElement;
}

/** @param {HTMLElement} box @returns {HTMLTextAreaElement | null} */
const fieldOf = (box) => box.querySelector("textarea");

function tidyComments() {
  const details = document.querySelector("[data-comments]");
  if (!(details instanceof HTMLDetailsElement)) return;
  let used = 0;
  for (const box of comments()) {
    const field = fieldOf(box);
    const isUsed = Boolean(field?.value.trim()) || box.contains(document.activeElement);
    box.hidden = !isUsed;
    if (isUsed) used += 1;
  }
  details.open = used > 0;
  details.hidden = used === 0;
}

/** @param {string} name */
function comment(name) {
  const box = document.querySelector(`[data-comment="${CSS.escape(name)}"]`);
  const details = document.querySelector("[data-comments]");
  if (!isElementOrNull(box) || !(details instanceof HTMLDetailsElement)) return;
  details.hidden = false;
  details.open = true;
  box.hidden = false;
  fieldOf(box)?.focus();
}

/** @param {Element | null} node @returns {node is HTMLElement} */
function isElementOrNull(node) {
  return node instanceof HTMLElement;
}

// ---------- the list of sentences ----------

/** @returns {HTMLElement[]} */
const rows = () =>
  widget ? [...widget.querySelectorAll("[role=option]")].filter(isElement) : [];

/** @returns {HTMLElement | undefined} */
const current = () => rows().find((row) => row.getAttribute("aria-selected") === "true");

/** @param {HTMLElement | undefined} row */
function select(row) {
  if (!row || !widget) return;
  for (const other of rows()) {
    other.setAttribute("aria-selected", String(other === row));
  }
  widget.setAttribute("aria-activedescendant", row.id);
  row.scrollIntoView({ block: "nearest" });
}

/** @param {KeyboardEvent} event */
function move(event) {
  if (event.target !== widget || event.ctrlKey || event.altKey || event.metaKey) return;
  const all = rows();
  const here = all.findIndex((row) => row === current());
  const last = all.length - 1;
  /** @type {Record<string, number>} */
  const places = {
    ArrowDown: Math.min(here + 1, last),
    ArrowUp: Math.max(here - 1, 0),
    Home: 0,
    End: last,
  };
  const place = places[event.key];
  if (event.key === "Enter" && all.length > 0) {
    event.preventDefault();
    commentHere();
  } else if (place !== undefined && all.length > 0) {
    event.preventDefault();
    select(all[place]);
  }
}

function commentHere() {
  const sentence = current()?.dataset.sentence;
  comment(sentence === undefined ? "comment_claim" : `comment_${sentence}`);
}

/** The sentence that the address names is at hand. */
function followHash() {
  const row = rows().find((one) => `#${one.id}` === location.hash);
  if (!row) return;
  select(row);
  if (widget instanceof HTMLElement) widget.focus({ preventScroll: true });
  row.scrollIntoView({ block: "center" });
}

// ---------- deciding ----------

/** @param {number} number counted from 1 */
function chooseReason(number) {
  const radios = form?.querySelectorAll("input[name=reason_code]") ?? [];
  const radio = radios[number - 1];
  if (!(radio instanceof HTMLInputElement)) return;
  radio.checked = true;
  radio.dispatchEvent(new Event("change", { bubbles: true }));
  radio.scrollIntoView({ block: "nearest" });
}

/** @returns {boolean} */
function hasReason() {
  return Boolean(form?.querySelector("input[name=reason_code]:checked"));
}

/** @returns {boolean} whether the author learns more than a reason from the list */
function hasWords() {
  const note = form?.querySelector("[name=note]");
  const fields = [note, ...comments().map(fieldOf)];
  return fields.some((field) => field instanceof HTMLTextAreaElement && field.value.trim());
}

/** @param {string} action */
function decide(action) {
  const button = control(action);
  if (button instanceof HTMLAnchorElement) button.click();
  else if (button instanceof HTMLButtonElement && form instanceof HTMLFormElement) {
    form.requestSubmit(button);
  }
}

/**
 * Hold a decision back that would teach its author too little.
 * @param {SubmitEvent} event
 * @param {string} words where it is said
 * @param {string} field where it is filled in
 */
function ask(event, words, field) {
  event.preventDefault();
  const said = form?.querySelector(words);
  if (said instanceof HTMLElement) said.hidden = false;
  const first = form?.querySelector(field);
  if (first instanceof HTMLElement) first.focus();
}

if (form instanceof HTMLFormElement) {
  form.addEventListener("submit", (event) => {
    const button = event.submitter;
    const isRefusal =
      button instanceof HTMLButtonElement && /^(request_changes|reject)$/.test(button.value);
    if (!isRefusal) return;
    if (!hasReason()) ask(event, "[data-need-reason]", "input[name=reason_code]");
    else if (button.value === "reject" && !hasWords()) {
      ask(event, "[data-need-words]", "[name=note]");
    }
  });
  form.addEventListener("change", () => {
    const reason = form.querySelector("[data-need-reason]");
    if (reason instanceof HTMLElement && hasReason()) reason.hidden = true;
    const words = form.querySelector("[data-need-words]");
    if (words instanceof HTMLElement && hasWords()) words.hidden = true;
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !(widget instanceof HTMLElement)) return;
    event.preventDefault();
    widget.focus();
    tidyComments();
  });
  form.addEventListener("draft:filled", tidyComments);
  form.addEventListener("focusout", () => setTimeout(tidyComments));
}

if (widget instanceof HTMLElement) {
  widget.addEventListener("keydown", move);
  widget.addEventListener("click", (event) => {
    const row = event.target instanceof Element ? event.target.closest("[role=option]") : null;
    if (row instanceof HTMLElement) select(row);
  });
  widget.addEventListener("dblclick", commentHere);
  /** @type {Record<string, () => void>} */
  const handlers = {
    approve: () => decide("approve"),
    fix: () => {
      const text = document.getElementById("id_text");
      if (text instanceof HTMLTextAreaElement) text.focus();
      else decide("fix");
    },
    request: () => decide("request"),
    reject: () => decide("reject"),
    undo: () => {
      const button = control("undo");
      if (button instanceof HTMLButtonElement) button.form?.requestSubmit(button);
    },
    comment: commentHere,
    comment_claim: () => comment("comment_claim"),
  };
  for (let number = 1; number <= 9; number += 1) {
    handlers[`reason_${number}`] = () => chooseReason(number);
  }
  bindShortcuts(widget, handlers);
}

for (const button of document.querySelectorAll("[data-open-comment]")) {
  button.addEventListener("click", () => {
    comment(button instanceof HTMLElement ? (button.dataset.openComment ?? "") : "");
  });
}

const hint = document.querySelector("[data-sentence-hint]");
if (hint instanceof HTMLElement) hint.hidden = false;
tidyComments();
followHash();
// Not by the attribute autofocus: keys that come before this module would be lost.
if (
  widget instanceof HTMLElement &&
  widget.dataset.keys &&
  (document.activeElement === document.body || document.activeElement === null)
) {
  widget.focus({ preventScroll: true });
}
addEventListener("hashchange", followHash);
