// A request of htmx that fails changes nothing on the page; this says so, once,
// instead of leaving the reader with a button that seems to do nothing.

const template = document.getElementById("request-error");

/** @param {string} words */
function tell(words) {
  const region = document.getElementById("messages");
  if (!region || !(template instanceof HTMLTemplateElement)) return;
  const earlier = region.querySelector("[data-request-error]");
  // What polls fails again and again: a screen reader need not hear it each time.
  if (earlier?.querySelector("[data-words]")?.textContent === words) return;
  earlier?.remove();
  const note = document.createElement("div");
  note.dataset.requestError = "";
  note.append(template.content.cloneNode(true));
  const text = note.querySelector("[data-words]");
  if (text) text.textContent = words;
  region.append(note);
}

document.addEventListener("htmx:responseError", (event) => {
  if (!(event instanceof CustomEvent)) return;
  tell(`The server answered ${event.detail.xhr.status}; nothing was changed.`);
});

document.addEventListener("htmx:sendError", () => {
  tell("The server cannot be reached; nothing was changed.");
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (!(event instanceof CustomEvent) || !event.detail.successful) return;
  document.querySelector("[data-request-error]")?.remove();
});
