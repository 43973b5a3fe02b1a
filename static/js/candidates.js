// Sentences that can be taken as a claim: a button puts its sentence into the box,
// word for word, and the claim counts as extracted. As soon as the text is no longer
// one of the article, it counts as composed again.

const TAKE = "button[data-take]";

/** @param {string} value */
function chooseKind(value) {
  const kind = document.querySelector(`input[name=kind_1][value=${value}]`);
  if (kind instanceof HTMLInputElement) kind.checked = true;
}

/** @returns {HTMLTextAreaElement | null} */
function box() {
  const list = document.querySelector("[data-candidates]");
  const id = list instanceof HTMLElement ? list.dataset.candidates : "";
  const field = id ? document.getElementById(id) : null;
  return field instanceof HTMLTextAreaElement ? field : null;
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest(TAKE) : null;
  const field = box();
  if (!(button instanceof HTMLElement) || !field) return;
  field.value = button.dataset.take ?? "";
  chooseKind("extracted");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
});

document.addEventListener("input", (event) => {
  const field = box();
  if (event.target !== field || !field || !event.isTrusted) return;
  const text = field.value.trim();
  const stands = [...document.querySelectorAll(TAKE)].some(
    (button) => button instanceof HTMLElement && button.dataset.take?.includes(text),
  );
  if (!stands) chooseKind("composed");
});
