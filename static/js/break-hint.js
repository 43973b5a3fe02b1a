// A hint after 50 minutes of work without a pause of five. It takes no focus and
// stops nothing.

const WORK_MS = 50 * 60_000;
const PAUSE_MS = 5 * 60_000;
const LOOK_MS = 15_000;
const key = `claimdesk.work.${document.body.dataset.user}`;

/** @returns {{since: number, last: number}} */
function stretch() {
  const now = Date.now();
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null");
    if (kept && now - kept.last < PAUSE_MS && kept.since <= now) return kept;
  } catch {
    // Nothing is kept: work begins now.
  }
  return { since: now, last: now };
}

let { since, last } = stretch();

function atWork() {
  const now = Date.now();
  if (now - last >= PAUSE_MS) since = now;
  last = now;
}

function look() {
  try {
    localStorage.setItem(key, JSON.stringify({ since, last }));
  } catch {
    // The hint then counts from the opening of the page.
  }
  const hint = document.querySelector("[data-break-hint]");
  if (!(hint instanceof HTMLElement) || last - since < WORK_MS) return;
  hint.hidden = false;
  since = last;
}

for (const sign of ["pointermove", "pointerdown", "keydown", "wheel", "scroll"]) {
  addEventListener(sign, atWork, { passive: true, capture: true });
}
document.querySelector("[data-break-done]")?.addEventListener("click", () => {
  const hint = document.querySelector("[data-break-hint]");
  if (hint instanceof HTMLElement) hint.hidden = true;
  const list = document.querySelector("#judge [data-sentences]");
  if (list instanceof HTMLElement) list.focus();
});
setInterval(look, LOOK_MS);
look();
