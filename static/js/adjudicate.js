// The keyboard of an adjudicator: single keys press the buttons of the decision.
//
// They act only while the comparison has the focus. Escape leads back to it from every
// field. While a decision is under way, nothing else is begun.

import { bindShortcuts, keysOf } from "./shortcuts.js";

const widget = document.querySelector("[data-adjudicate-keys]");

let isUnderWay = false;

/** @param {SubmitEvent} event */
function sendOnce(event) {
  if (isUnderWay) event.preventDefault();
  isUnderWay = true;
}

/** @param {string} action */
function press(action) {
  if (isUnderWay) return;
  const control = document.querySelector(`[data-action="${CSS.escape(action)}"]`);
  if (control instanceof HTMLAnchorElement) control.click();
  else if (control instanceof HTMLButtonElement) control.form?.requestSubmit(control);
}

for (const button of document.querySelectorAll("[data-action]")) {
  if (button instanceof HTMLButtonElement) button.form?.addEventListener("submit", sendOnce);
}
// Who comes back to the page by the browser's history decides anew.
addEventListener("pageshow", () => {
  isUnderWay = false;
});

if (widget instanceof HTMLElement) {
  const actions = Object.keys(keysOf(widget));
  bindShortcuts(
    widget,
    Object.fromEntries(actions.map((action) => [action, () => press(action)])),
  );
  document.addEventListener("keydown", (event) => {
    const isField = event.target instanceof Element && event.target.closest("form");
    if (event.key !== "Escape" || event.defaultPrevented || !isField) return;
    event.preventDefault();
    widget.focus();
  });
  // Not by the attribute autofocus: keys that come before this module would be lost.
  const isFree = [document.body, null].includes(
    /** @type {HTMLElement | null} */ (document.activeElement),
  );
  if (isFree) widget.focus({ preventScroll: true });
}
