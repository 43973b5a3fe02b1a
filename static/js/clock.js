// How long somebody works on <form data-clock="name">: the seconds since it was first
// shown, and those of them in which they were at it.
//
// Reading counts: after the last pointer, scroll or key 180 s still count as work, and
// what follows does not. A hidden tab does not count. Both figures go into the hidden
// fields elapsed_seconds and active_seconds when the form is sent, and survive a
// reload in this tab.

const IDLE_MS = 180_000;
const SIGNS = ["pointerdown", "pointermove", "wheel", "scroll", "keydown", "touchmove"];

/** @typedef {{first: number, active: number}} Reading milliseconds */

class Clock {
  /** @param {HTMLFormElement} form */
  constructor(form) {
    this.form = form;
    this.key = keyOf(form);
    const kept = readings(this.key);
    this.first = kept?.first ?? Date.now();
    this.active = kept?.active ?? 0;
    /** When work was last counted, or nothing while the tab is hidden. */
    this.since = document.hidden ? null : performance.now();
  }

  /** Count what has passed since the last sign of somebody. */
  count() {
    const now = performance.now();
    if (this.since !== null) this.active += Math.min(now - this.since, IDLE_MS);
    this.since = document.hidden ? null : now;
  }

  keep() {
    this.count();
    try {
      const { first, active } = this;
      sessionStorage.setItem(this.key, JSON.stringify({ first, active }));
    } catch {
      // A reload will start from nothing.
    }
  }

  /** Write both figures into the form. */
  stamp() {
    this.keep();
    const elapsed = Math.max(Date.now() - this.first, this.active);
    write(this.form, "active_seconds", this.active);
    write(this.form, "elapsed_seconds", elapsed);
  }
}

/** @param {HTMLFormElement} form */
function keyOf(form) {
  return `claimdesk.clock.${document.body.dataset.user}.${form.dataset.clock}`;
}

/**
 * @param {string} key
 * @returns {Reading | null}
 */
function readings(key) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
    return kept && kept.first > 0 && kept.active >= 0 ? kept : null;
  } catch {
    return null;
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {number} milliseconds
 */
function write(form, name, milliseconds) {
  const field = form.elements.namedItem(name);
  if (field instanceof HTMLInputElement) {
    field.value = String(Math.round(milliseconds / 1000));
  }
}

/** @type {Map<HTMLFormElement, Clock>} */
const clocks = new Map();

/** Start the clock of every form that is on the page; others are let go. */
export function startClocks() {
  for (const form of clocks.keys()) {
    if (!form.isConnected) clocks.delete(form);
  }
  for (const form of document.querySelectorAll("form[data-clock]")) {
    if (form instanceof HTMLFormElement && !clocks.has(form)) {
      clocks.set(form, new Clock(form));
    }
  }
}

/**
 * Write the figures into a form that a module sends by itself.
 * @param {HTMLFormElement} form
 */
export function stampClock(form) {
  clocks.get(form)?.stamp();
}

/**
 * Forget a form that has been taken: opened again, it starts from nothing.
 * @param {HTMLFormElement} form
 */
export function forgetClock(form) {
  clocks.delete(form);
  try {
    sessionStorage.removeItem(keyOf(form));
  } catch {
    // Nothing was kept.
  }
}

for (const sign of SIGNS) {
  addEventListener(
    sign,
    () => {
      for (const clock of clocks.values()) clock.count();
    },
    { passive: true, capture: true },
  );
}

document.addEventListener("visibilitychange", () => {
  for (const clock of clocks.values()) clock.keep();
});

addEventListener("pagehide", () => {
  for (const clock of clocks.values()) clock.keep();
});

document.addEventListener(
  "submit",
  (event) => {
    if (event.target instanceof HTMLFormElement) stampClock(event.target);
  },
  { capture: true },
);

startClocks();
document.addEventListener("htmx:afterSettle", startClocks);
