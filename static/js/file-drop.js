// Upload fields: drop a file anywhere in the frame; its name and size are shown,
// and a file above the stated limit is refused before it is sent.

const UNITS = ["bytes", "KB", "MB", "GB"];

/**
 * @param {number} bytes
 * @returns {string}
 */
function inWords(bytes) {
  const power = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), 3);
  const value = bytes / 1024 ** power;
  return `${value.toFixed(power > 0 && value < 10 ? 1 : 0)} ${UNITS[power]}`;
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} note
 */
function describe(input, note) {
  const limit = Number(input.dataset.limitBytes ?? Infinity);
  const files = [...(input.files ?? [])];
  const tooLarge = files.find((file) => file.size > limit);
  const problem = tooLarge
    ? `${tooLarge.name} has ${inWords(tooLarge.size)}; at most ${inWords(limit)} can be uploaded.`
    : "";
  const listed = files.map((file) => `${file.name}, ${inWords(file.size)}`).join("; ");
  input.setCustomValidity(problem);
  note.textContent = problem || listed;
  note.classList.toggle("is-bad", problem !== "");
}

/** @param {HTMLElement} frame */
function enable(frame) {
  const input = frame.querySelector("input[type=file]");
  const note = frame.querySelector("[data-file-note]");
  if (!(input instanceof HTMLInputElement) || !(note instanceof HTMLElement)) return;
  frame.dataset.fileDrop = "ready";
  input.addEventListener("change", () => describe(input, note));
  for (const kind of ["dragenter", "dragover"]) {
    frame.addEventListener(kind, (event) => {
      event.preventDefault();
      frame.classList.add("is-over");
    });
  }
  for (const kind of ["dragleave", "drop"]) {
    frame.addEventListener(kind, () => frame.classList.remove("is-over"));
  }
  frame.addEventListener("drop", (event) => {
    event.preventDefault();
    if (!event.dataTransfer?.files.length) return;
    input.files = event.dataTransfer.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

function enableAll() {
  for (const frame of document.querySelectorAll("[data-file-drop='']")) {
    if (frame instanceof HTMLElement) enable(frame);
  }
}

enableAll();
document.addEventListener("htmx:afterSettle", enableAll);
