// Forms in which people write: <form data-work-form>.
//
// Ctrl+Enter (Cmd+Enter on a Mac) submits from any of its fields. A text area with
// data-grow is as high as its text. What a checker answers to the same words is not
// put into the page again, so that it is not read aloud again (data-quiet).

const GROWS = "textarea[data-grow]";

/** @param {HTMLTextAreaElement} area */
function grow(area) {
  area.style.height = "auto";
  const border = area.offsetHeight - area.clientHeight;
  area.style.height = `${area.scrollHeight + border}px`;
}

/** @param {ParentNode} within */
function growAll(within) {
  for (const area of within.querySelectorAll(GROWS)) {
    if (area instanceof HTMLTextAreaElement) grow(area);
  }
}

document.addEventListener("input", (event) => {
  if (event.target instanceof HTMLTextAreaElement && event.target.matches(GROWS)) {
    grow(event.target);
  }
});

// A draft that comes back fills fields without typing.
document.addEventListener("change", () => growAll(document));
addEventListener("resize", () => growAll(document));

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.repeat) return;
  const field = event.target instanceof Element ? event.target : null;
  const form = field?.closest("form[data-work-form]");
  if (!(form instanceof HTMLFormElement) || event.isComposing) return;
  event.preventDefault();
  const button = form.querySelector("button.btn-primary");
  form.requestSubmit(button instanceof HTMLButtonElement ? button : null);
});

/** @type {WeakMap<Element, string>} */
const answers = new WeakMap();

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!(event instanceof CustomEvent)) return;
  const { requestConfig, target, serverResponse, xhr } = event.detail;
  if (!requestConfig?.elt?.closest?.("[data-quiet]") || xhr.status !== 200) return;
  // Whoever was signed out meanwhile gets a whole page instead of a piece.
  const isPage = xhr.responseURL && !xhr.responseURL.endsWith(requestConfig.path);
  if (isPage || answers.get(target) === serverResponse) {
    event.detail.shouldSwap = false;
    return;
  }
  answers.set(target, serverResponse);
});

growAll(document);
