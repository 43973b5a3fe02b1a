// Time left: <span data-countdown="moment" data-now="moment">3 days 4 h</span>.
//
// The page says what is left when it is made; this lets it run down. It counts from
// the server's time, so that a wrong clock of the reader's does not matter.
// Not announced while it runs: a screen reader finds the time that is left then.

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const loaded = Date.now();

/**
 * In the words of verification/deadlines.py.
 * @param {number} seconds
 * @returns {string}
 */
function inWords(seconds) {
  const two = (/** @type {number} */ value) => String(Math.floor(value)).padStart(2, "0");
  if (seconds >= 2 * DAY) {
    return `${Math.floor(seconds / DAY)} days ${Math.floor((seconds % DAY) / HOUR)} h`;
  }
  if (seconds >= HOUR) {
    return `${Math.floor(seconds / HOUR)} h ${two((seconds % HOUR) / MINUTE)} min`;
  }
  if (seconds >= MINUTE) return `${Math.floor(seconds / MINUTE)} min ${two(seconds % MINUTE)} s`;
  return `${Math.max(0, Math.floor(seconds))} s`;
}

/** @param {HTMLElement} shown */
function tick(shown) {
  const { countdown = "", now = "" } = shown.dataset;
  const total = (Date.parse(countdown) - Date.parse(now)) / 1000;
  const words = inWords(total - (Date.now() - loaded) / 1000);
  if (shown.textContent !== words) shown.textContent = words;
}

function tickAll() {
  for (const shown of document.querySelectorAll("[data-countdown]")) {
    if (shown instanceof HTMLElement) tick(shown);
  }
}

tickAll();
setInterval(tickAll, 1000);
