// Keeps an item in a person's hands while they work on it: at most once a minute, and
// only after something happened, the server is told. When the item is lost the page
// says so; it never clears or locks what was typed.

import { csrfToken } from "./csrf.js";

const MINUTE_MS = 60_000;
const ACTIVITY = ["pointerdown", "pointermove", "keydown", "scroll", "input"];
const SIGNED_OUT =
  "You are signed out. Sign in again in another tab; what you wrote stays on this page.";

/** @param {HTMLElement} holder */
function enable(holder) {
  holder.dataset.lease = "ready";
  const status = holder.querySelector("[data-lease-status]");
  const template = holder.querySelector("template");
  let lastSent = Date.now();
  let wasActive = false;
  let isWaiting = false;
  const stop = new AbortController();

  /** @param {string} words */
  const tell = (words) => {
    if (!status || !template) return;
    status.replaceChildren();
    if (!words) return;
    status.append(template.content.cloneNode(true));
    const text = status.querySelector(".cd-alert > div");
    if (text) text.textContent = words;
  };

  const renew = async () => {
    if (!holder.isConnected) {
      stop.abort(); // htmx has put the next item in its place
      return;
    }
    if (isWaiting || !wasActive || Date.now() - lastSent < MINUTE_MS) return;
    isWaiting = true;
    lastSent = Date.now();
    wasActive = false;
    tell(await ask(holder.dataset.leaseUrl ?? ""));
    isWaiting = false;
  };

  const note = () => {
    wasActive = true;
    void renew();
  };
  for (const kind of ACTIVITY) {
    document.addEventListener(kind, note, { passive: true, capture: true, signal: stop.signal });
  }
}

/**
 * Renew and return what to tell the person: nothing, if all is well or the network is
 * away for a moment.
 * @param {string} url
 * @returns {Promise<string>}
 */
async function ask(url) {
  try {
    const answer = await fetch(url, { method: "POST", headers: { "X-CSRFToken": csrfToken() } });
    if (answer.redirected || answer.status === 403) return SIGNED_OUT;
    if (answer.status !== 409) return "";
    const { message } = await answer.json();
    return String(message);
  } catch {
    return "";
  }
}

function enableAll() {
  for (const holder of document.querySelectorAll("[data-lease-url]:not([data-lease])")) {
    if (holder instanceof HTMLElement) enable(holder);
  }
}

enableAll();
document.addEventListener("htmx:afterSettle", enableAll);
