// Doubtful boundaries: one key splits, merges, confirms or undoes, and the focus goes
// to the next place. Keys act only while a button of the list has the focus; without
// this module the buttons are plain forms.

const PLACES = "button[data-key=m], button[data-key=s]";

// Whoever opens the list can press a key at once.
placesOf(document)[0]?.focus();

/** Where the focus was when a change was sent: the entry, and the place in it. */
let left = { entry: "", index: 0 };

/**
 * @param {ParentNode} within
 * @returns {HTMLButtonElement[]}
 */
function placesOf(within) {
  return [...within.querySelectorAll(PLACES)].filter(
    (place) => place instanceof HTMLButtonElement,
  );
}

/**
 * Press the button of the entry that has this key; a place only if it has the focus.
 * @param {HTMLButtonElement} focused
 * @param {string} key
 * @returns {boolean} whether there was one
 */
function press(focused, key) {
  const entry = focused.closest("section");
  const button =
    key === "m" || key === "s"
      ? focused
      : entry?.querySelector(`button[data-key=${key}]`);
  if (!(button instanceof HTMLButtonElement) || button.dataset.key !== key) return false;
  button.click();
  return true;
}

/**
 * @param {Element} list
 * @param {HTMLButtonElement} focused
 * @param {number} step
 */
function move(list, focused, step) {
  const places = placesOf(list);
  const at = places.indexOf(focused);
  if (at >= 0) {
    places[at + step]?.focus();
    return;
  }
  const after = places.find(
    (place) =>
      focused.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const next = after ? places.indexOf(after) : places.length;
  places[step > 0 ? next : next - 1]?.focus();
}

document.addEventListener("keydown", (event) => {
  const focused = event.target;
  if (!(focused instanceof HTMLButtonElement)) return;
  const list = focused.closest("[data-boundaries]");
  if (!list || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    move(list, focused, event.key === "ArrowDown" ? 1 : -1);
    event.preventDefault();
  } else if ("msru".includes(event.key) && !event.repeat && press(focused, event.key)) {
    event.preventDefault();
  }
});

document.addEventListener("htmx:beforeRequest", (event) => {
  const entry = event.target instanceof Element && event.target.closest("section");
  if (!entry || !entry.closest("[data-boundaries]")) return;
  const focused = document.activeElement;
  const index = placesOf(entry).findIndex((place) => place === focused);
  left = { entry: entry.id, index: Math.max(index, 0) };
});

document.addEventListener("htmx:afterSettle", () => {
  const entry = document.getElementById(left.entry);
  const list = entry?.closest("[data-boundaries]");
  if (!entry || !list) return;
  const own = placesOf(entry);
  const next = own[Math.min(left.index, own.length - 1)] ?? followingPlace(list, entry);
  const last = entry.querySelector("button");
  left = { entry: "", index: 0 };
  if (next) next.focus();
  else last?.focus();
});

/**
 * @param {Element} list
 * @param {Element} entry
 * @returns {HTMLButtonElement | undefined}
 */
function followingPlace(list, entry) {
  return placesOf(list).find(
    (place) => entry.compareDocumentPosition(place) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
}
