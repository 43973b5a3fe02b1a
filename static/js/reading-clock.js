// @ts-check
// Counts reading as work: a minute in which the reader moved, scrolled or pressed keys
// is told to the server. Idle starts after three minutes without any of that.

import { csrfToken } from "./csrf.js";

const IDLE_MS = 180_000;
const TOLD_AFTER_S = 60;

const reading = document.querySelector("[data-reading-url]");
if (reading instanceof HTMLElement) {
  start(reading.dataset.readingUrl ?? "");
}

/** @param {string} url */
function start(url) {
  let lastMove = Date.now();
  let lastTick = Date.now();
  let active = 0;
  let hasTold = false;
  const moved = () => {
    lastMove = Date.now();
  };
  for (const kind of ["pointermove", "pointerdown", "scroll", "wheel", "keydown"]) {
    document.addEventListener(kind, moved, { passive: true, capture: true });
  }
  const tick = () => {
    const now = Date.now();
    const isRead = document.visibilityState === "visible" && now - lastMove < IDLE_MS;
    // A machine that slept has not been read on.
    active += isRead ? Math.min(now - lastTick, 5_000) / 1000 : 0;
    lastTick = now;
    if (active >= TOLD_AFTER_S) {
      tell();
      hasTold = true;
    }
  };
  const tell = () => {
    const seconds = String(Math.round(active));
    active = 0;
    fetch(url, {
      method: "POST",
      headers: { "X-CSRFToken": csrfToken() },
      body: new URLSearchParams({ active_seconds: seconds, elapsed_seconds: seconds }),
      keepalive: true,
    }).catch(() => undefined);
  };
  window.setInterval(tick, 1_000);
  window.addEventListener("pagehide", () => {
    tick();
    if (hasTold && active >= 1) {
      tell();
    }
  });
}
