// Copy buttons: <button data-copy="text">. One listener serves all of them, so
// that buttons which htmx brings in later work as well.

const SHOWN_MS = 2000;

document.addEventListener("click", async (event) => {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest("[data-copy]");
  if (!(button instanceof HTMLButtonElement) || button.ariaDisabled === "true") return;
  const words = button.textContent ?? "";
  button.ariaDisabled = "true";
  button.textContent = await copied(button.dataset.copy ?? "");
  setTimeout(() => {
    button.textContent = words;
    button.ariaDisabled = null;
  }, SHOWN_MS);
});

/**
 * Copy the text and return what to tell the reader.
 * @param {string} text
 * @returns {Promise<string>}
 */
async function copied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "Copied";
  } catch {
    return "Select and copy the text"; // no clipboard without https
  }
}
