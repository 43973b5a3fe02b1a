// The single-key shortcuts of a widget, as its reader has set them.
//
// They act only while the widget itself has the focus, never while somebody types,
// and never together with Ctrl, Alt, Meta or (for letters) Shift. data-keys of the
// widget maps actions to keys; it is empty where the reader has switched them off.

/** @typedef {(event: KeyboardEvent) => void} Handler */

/**
 * The action of a key press, or nothing.
 * @param {KeyboardEvent} event
 * @param {Map<string, string>} actions by key
 * @returns {string | undefined}
 */
function actionOf(event, actions) {
  const key = event.key.toLowerCase();
  if (event.shiftKey && /^\p{L}$/u.test(event.key)) return undefined;
  const found = actions.get(key);
  if (found) return found;
  // Where digits need Shift (as in France), the unshifted key counts as the digit.
  const digit = /^(?:Digit|Numpad)(\d)$/.exec(event.code)?.[1];
  return digit && !event.shiftKey ? actions.get(digit) : undefined;
}

/**
 * The keys of a widget's actions.
 * @param {HTMLElement} widget
 * @returns {Record<string, string>}
 */
export function keysOf(widget) {
  return JSON.parse(widget.dataset.keys ?? "{}");
}

/**
 * Whether a key press belongs to the widget: it has the focus, and no modifier that
 * the browser or a screen reader may use is down.
 * @param {HTMLElement} widget
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export function isForWidget(widget, event) {
  const isCombination = event.ctrlKey || event.altKey || event.metaKey;
  return (
    event.target === widget &&
    !isCombination &&
    !event.isComposing &&
    !event.defaultPrevented
  );
}

/**
 * Let a widget's keys do things. A held key acts once.
 * @param {HTMLElement} widget
 * @param {Record<string, Handler>} handlers by action
 */
export function bindShortcuts(widget, handlers) {
  const actions = new Map(
    Object.entries(keysOf(widget)).map(([action, key]) => [key.toLowerCase(), action]),
  );
  widget.addEventListener("keydown", (event) => {
    if (!isForWidget(widget, event)) return;
    const action = actionOf(event, actions);
    const handler = action ? handlers[action] : undefined;
    if (!handler) return;
    event.preventDefault();
    if (!event.repeat) handler(event);
  });
}
