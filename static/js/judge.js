// The page that verifies pairs: keys, what follows from the answer so far, submitting,
// and the next pair, which is loaded while the present one is read.
//
// Enter shows the next pair at once; the answer is on its way meanwhile, and is sent
// again, with the same key, while the network is slow or gone. What the server refuses
// comes back with its reason. Every answer is a draft until the server has taken it.

import { forgetClock, stampClock } from "./clock.js";
import { csrfToken } from "./csrf.js";
import { draftOf } from "./drafts.js";
import { Outbox } from "./outbox.js";
import { SentenceList } from "./sentence-list.js";
import { bindShortcuts } from "./shortcuts.js";
import { Suggestion } from "./suggestion.js";

/** How old a pair that was loaded ahead may be; older ones are asked for again. */
const FRESH_MS = 8 * 60_000;
const NO_SENTENCE = "no sentence yet";
const PIECE = { "HX-Request": "true" };

/** @typedef {{article: HTMLElement, at: number}} Loaded */

const found = document.getElementById("judge");
const live = document.getElementById("judge-live");
const outcome = document.getElementById("judge-outcome");
if (!(found instanceof HTMLElement)) throw new Error("this page has no pair");
const place = found;

/** @type {Loaded[]} pairs that come next, the nearest first */
let upcoming = [];
/** @type {Promise<void> | null} */
let loading = null;
/** @type {WeakMap<HTMLElement, SentenceList>} */
const lists = new WeakMap();
/** @type {WeakMap<HTMLElement, Suggestion>} */
const suggestions = new WeakMap();
/** @type {WeakSet<HTMLElement>} pairs that the server takes no answer for any more */
const closed = new WeakSet();
let isMoving = false;

/** @param {string} words */
function tell(words) {
  if (live) live.textContent = words;
}

/** @returns {HTMLElement} the pair on the page */
function shown() {
  const article = place.querySelector("[data-judge]");
  if (!(article instanceof HTMLElement)) throw new Error("no pair is shown");
  return article;
}

/**
 * @param {HTMLElement} article
 * @returns {HTMLFormElement}
 */
function formOf(article) {
  const form = article.querySelector("[data-judge-form]");
  if (!(form instanceof HTMLFormElement)) throw new Error("a pair without a form");
  return form;
}

/**
 * @param {HTMLElement} article
 * @returns {string}
 */
function claimOf(article) {
  return article.querySelector(".cd-claim")?.textContent?.trim() ?? "";
}

// ---------- one pair ----------

/**
 * Wire the pair that has come onto the page.
 * @param {HTMLElement} article
 */
function enable(article) {
  if (lists.has(article)) return;
  const form = formOf(article);
  const list = new SentenceList(form, tell);
  lists.set(article, list);
  const suggestion = suggestionIn(form, list);
  if (suggestion) suggestions.set(article, suggestion);
  bindShortcuts(list.list, {
    label_1: () => chooseLabel(form, 0),
    label_2: () => chooseLabel(form, 1),
    label_3: () => chooseLabel(form, 2),
    label_4: () => chooseLabel(form, 3),
    next_rationale: () => list.nextRationale(),
    suggestion: () => suggestion?.pressed(),
    undo: () => void undo(),
    flag: () => openTool(article, "flag"),
    skip: () => openTool(article, "skip"),
    help: () => openHelp(),
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit(article);
  });
  form.addEventListener("change", () => follow(article));
  form.addEventListener("sentences:shown", () => follow(article));
  form.addEventListener("draft:filled", () => follow(article));
  form.addEventListener("draft:chosen", () => list.list.focus());
  article.addEventListener("click", (event) => clicked(article, event));
  article.addEventListener("keydown", (event) => escaped(article, event));
  article.querySelector("[data-flag-form]")?.addEventListener("submit", (event) => {
    event.preventDefault();
    void flag(article);
  });
  follow(article);
}

/**
 * @param {HTMLFormElement} form
 * @param {SentenceList} list
 * @returns {Suggestion | null}
 */
function suggestionIn(form, list) {
  const box = form.querySelector("[data-suggestion]");
  if (!(box instanceof HTMLElement)) return null;
  return new Suggestion({
    form,
    box,
    list,
    labels: labelsOf(form),
    tell,
    ask: () => post(box.dataset.suggestion ?? "", encoded(form)),
  });
}

/** @param {HTMLElement} article */
function focusList(article) {
  const list = article.querySelector("[data-sentences]");
  if (list instanceof HTMLElement) list.focus({ preventScroll: true });
}

/**
 * @param {HTMLFormElement} form
 * @returns {HTMLInputElement[]}
 */
function labelsOf(form) {
  return [...form.querySelectorAll("input[name=label]")].filter(
    (input) => input instanceof HTMLInputElement,
  );
}

/**
 * @param {HTMLFormElement} form
 * @param {number} index
 */
function chooseLabel(form, index) {
  const input = labelsOf(form)[index];
  if (!input) return;
  input.checked = true;
  tell(input.dataset.words ?? input.value);
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

/**
 * A click with a pointer leaves the focus where keys work; a press by keyboard stays.
 * @param {HTMLElement} article
 * @param {MouseEvent} event
 */
function clicked(article, event) {
  const target = event.target instanceof Element ? event.target : null;
  const button = target?.closest("button[data-act]");
  const list = lists.get(article);
  const act = button instanceof HTMLElement ? (button.dataset.act ?? "") : "";
  if (button instanceof HTMLElement && list) {
    if (act === "help") openHelp();
    if (act === "next_rationale") list.nextRationale();
    if (act === "rationale") list.choose(Number(button.dataset.number));
    if (act === "clear") list.clear();
    suggestions.get(article)?.act(act);
  }
  const isLabel = target?.closest(".cd-labels") !== null;
  const isOurs = isLabel || (act !== "" && act !== "help");
  if (isOurs && event.detail > 0) focusList(article);
}

/**
 * Escape closes a tool and goes back to the sentences.
 * @param {HTMLElement} article
 * @param {KeyboardEvent} event
 */
function escaped(article, event) {
  if (event.key !== "Escape" || !(event.target instanceof Element)) return;
  const tool = event.target.closest("details[data-tool]");
  if (!(tool instanceof HTMLDetailsElement) || !tool.open) return;
  tool.open = false;
  focusList(article);
}

/**
 * @param {HTMLElement} article
 * @param {string} name
 */
function openTool(article, name) {
  const tool = article.querySelector(`details[data-tool=${name}]`);
  if (!(tool instanceof HTMLDetailsElement)) return;
  tool.open = true;
  const field = tool.querySelector("input, select");
  if (field instanceof HTMLElement) field.focus();
}

function openHelp() {
  const dialog = document.getElementById("judge-help");
  if (!(dialog instanceof HTMLDialogElement) || dialog.open) return;
  const back = document.activeElement;
  dialog.addEventListener(
    "close",
    () => {
      if (back instanceof HTMLElement && back.isConnected) back.focus();
      else focusList(shown());
    },
    { once: true },
  );
  dialog.showModal();
  dialog.querySelector("h2")?.focus();
}

// A link within the help moves the help only: the address stays that of the pair.
document.querySelector("[data-help-parts]")?.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const part = link ? document.getElementById(link.hash.slice(1)) : null;
  if (!part) return;
  event.preventDefault();
  part.tabIndex = -1;
  part.scrollIntoView({ block: "start" });
  part.focus({ preventScroll: true });
});

/** @param {HTMLElement} article */
async function flag(article) {
  const form = article.querySelector("[data-flag-form]");
  if (!(form instanceof HTMLFormElement)) return;
  const status = article.querySelector("[data-flag-status]");
  try {
    const response = await post(form.action, form);
    const words = response.ok || response.status === 422 ? await response.text() : "";
    if (status) status.textContent = words || "The flag was not kept; try again.";
    if (!response.ok) return;
    tell(words);
    const word = article.querySelector("[data-flag-word]");
    if (word) word.textContent = "Flagged for you";
    const tool = status?.closest("details");
    if (tool) tool.open = false;
    focusList(article);
  } catch {
    if (status) status.textContent = "The server cannot be reached; try again.";
  }
}

// ---------- what follows from the answer so far ----------

/**
 * Show the rationales as buttons, ask for others, warn of what is unusual.
 * @param {HTMLElement} article
 */
function follow(article) {
  const form = formOf(article);
  const list = lists.get(article);
  if (!list) return;
  const label = labelsOf(form).find((input) => input.checked)?.value;
  problem(article, "");
  suggestions.get(article)?.follow();
  showRationales(form, list);
  const choose = form.querySelector("[data-choose]");
  if (choose instanceof HTMLElement) {
    choose.hidden = label === "NOT_ENOUGH_INFO" || !list.isOpen || !list.isEmpty;
  }
  const ask = form.querySelector("[data-ask]");
  if (ask instanceof HTMLElement) {
    const needs = label === "SUPPORT" || label === "CONTRADICT";
    const isAsked = needs && list.count() === 1 && list.active === 1;
    if (isAsked && ask.hidden) tell(ask.textContent ?? "");
    ask.hidden = !isAsked;
  }
  const warnings = form.querySelector("[data-warnings]");
  warnings?.replaceChildren(
    ...warningsOf(form, list, label).map((words) => {
      const line = document.createElement("p");
      line.className = "cd-warning";
      line.textContent = words;
      return line;
    }),
  );
  if (warnings && label === "NOT_ENOUGH_INFO" && !list.isEmpty) {
    warnings.append(button("Take the sentences away", "clear"));
  }
}

/**
 * @param {HTMLFormElement} form
 * @param {SentenceList} list
 * @param {string | undefined} label
 * @returns {string[]}
 */
function warningsOf(form, list, label) {
  if (label === "NOT_ENOUGH_INFO" && !list.isEmpty) {
    return ["NOT ENOUGH INFO has no rationale: take the sentences away."];
  }
  const words = [];
  const mostRationales = Number(form.dataset.mostRationales);
  const mostSentences = Number(form.dataset.mostSentences);
  const count = list.count();
  if (count > mostRationales) {
    words.push(`${count} rationales; more than ${mostRationales} is rare.`);
  }
  const longest = Math.max(0, ...list.used().map((n) => list.tagsOf(n).length));
  const sentences = list.hasRoles ? list.tagsOf(1).length : longest;
  if (sentences > mostSentences) {
    words.push(
      `A rationale of ${sentences} sentences; more than ${mostSentences} is rare. ` +
        "Is it minimal?",
    );
  }
  return words;
}

/**
 * @param {string} words
 * @param {string} act
 * @returns {HTMLButtonElement}
 */
function button(words, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = "btn btn-secondary btn-sm";
  made.dataset.act = act;
  made.textContent = words;
  return made;
}

/**
 * @param {HTMLFormElement} form
 * @param {SentenceList} list
 */
function showRationales(form, list) {
  const group = form.querySelector("[data-rationales-list]");
  if (!group) return;
  const number = Math.max(list.count(), list.active);
  const buttons = [];
  for (let n = 1; list.hasSeveral && n <= number; n += 1) {
    const made = button(`${n}: ${list.tagsOf(n).join(" ") || NO_SENTENCE}`, "rationale");
    made.dataset.number = String(n);
    made.setAttribute("aria-pressed", String(n === list.active));
    made.setAttribute("aria-label", `Rationale ${n}: ${list.tagsOf(n).join(", ") || NO_SENTENCE}`);
    buttons.push(made);
  }
  if (list.hasSeveral && !list.isEmpty && list.active <= list.count()) {
    buttons.push(button("New rationale", "next_rationale"));
  }
  const focused = document.activeElement;
  const had = focused instanceof HTMLElement && group.contains(focused) ? focused : null;
  const act = had?.dataset.act;
  const of = had?.dataset.number;
  group.replaceChildren(...buttons);
  if (act) {
    const again = buttons.find((b) => b.dataset.act === act && b.dataset.number === of);
    (again ?? buttons[buttons.length - 1])?.focus();
  }
}

/**
 * Say what is missing or refused; news that is no error looks like news.
 * @param {HTMLElement} article
 * @param {string} words
 */
function problem(article, words, isNews = false) {
  const region = article.querySelector("[data-problem]");
  region?.classList.toggle("is-news", isNews);
  if (region && region.textContent !== words) region.textContent = words;
}

/**
 * What is missing before an answer can be sent; the server looks again.
 * @param {HTMLElement} article
 * @returns {string}
 */
function missing(article) {
  const form = formOf(article);
  const list = lists.get(article);
  const label = labelsOf(form).find((input) => input.checked)?.value;
  if (!label) return "Choose a label first.";
  if (!list?.isOpen) return "";
  const needs = label === "SUPPORT" || label === "CONTRADICT";
  if (needs && list.isEmpty) return "Choose the sentences that justify the label.";
  if (label === "NOT_ENOUGH_INFO" && !list.isEmpty) {
    return "NOT ENOUGH INFO has no rationale: take the sentences away.";
  }
  const isWithoutPrimary =
    list.hasRoles && !list.isEmpty && !list.rows.some((r) => r.field?.value === "PRIMARY");
  return isWithoutPrimary ? "At least one sentence must be PRIMARY." : "";
}

// ---------- submitting, and the next pair ----------

/**
 * Send a form as the pages do, whatever session the browser has by now.
 * @param {string} url
 * @param {HTMLFormElement | URLSearchParams} body
 * @param {RequestInit} more
 * @returns {Promise<Response>}
 */
function post(url, body, more = {}) {
  const data = body instanceof HTMLFormElement ? encoded(body) : body;
  data.delete("csrfmiddlewaretoken");
  return fetch(url, {
    method: "POST",
    body: data,
    headers: { ...PIECE, "X-CSRFToken": csrfToken() },
    redirect: "manual",
    ...more,
  });
}

/**
 * @param {HTMLFormElement} form
 * @returns {URLSearchParams}
 */
function encoded(form) {
  const data = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === "string") data.append(name, value);
  }
  return data;
}

const outbox = new Outbox({
  send: (url, data) => post(url, data, { keepalive: true }),
  taken: (article, html) => {
    const form = formOf(article);
    draftOf(form)?.stop();
    forgetClock(form);
    if (outcome) outcome.innerHTML = html;
  },
  refused,
  gone: (article, words) => {
    closed.add(article);
    refused(article, `${words} Your answer stays here to be read; Enter leads on.`);
  },
  stuck: (article, words) => complain(article, words, true),
  signedOut: (article) => signIn(article),
});

/**
 * @param {HTMLElement} article
 * @param {string} words
 */
function refused(article, words) {
  if (article === shown() || isUntouched()) void back(article, words);
  else complain(article, words, false);
}

/** @returns {boolean} whether nothing has been answered on the page yet */
function isUntouched() {
  const form = formOf(shown());
  const list = lists.get(shown());
  return !labelsOf(form).some((input) => input.checked) && (list?.isEmpty ?? true);
}

/**
 * Lead through the sign-in page back to this pair; its answer is kept.
 * @param {HTMLElement} article
 */
function signIn(article) {
  const url = new URL(place.dataset.loginUrl ?? "/", location.href);
  url.searchParams.set("next", article.dataset.url ?? location.pathname);
  location.assign(url);
}

/** @param {HTMLElement} article */
async function submit(article) {
  if (isMoving) return;
  if (closed.has(article)) {
    await leave();
    return;
  }
  const words = missing(article);
  problem(article, words);
  if (words) {
    focusList(article);
    return;
  }
  isMoving = true;
  const form = formOf(article);
  stampClock(form);
  draftOf(form)?.sending();
  const data = encoded(form);
  const label = labelsOf(form).find((input) => input.checked)?.dataset.words ?? "";
  try {
    const sent = outbox.add(article, article.dataset.url ?? "", data);
    let isRefused = false;
    void sent.then((isTaken) => {
      isRefused = !isTaken;
    });
    const next = await nextOne();
    if (isRefused) {
      // It was refused before the next pair was there: the page stays where it is.
      if (next) upcoming.unshift({ article: next, at: Date.now() });
    } else if (next) {
      show(next, true);
      tell(`Submitted: ${label}. Next claim: ${claimOf(next)}`);
    } else if (await sent) {
      location.assign(nextPage);
    }
  } finally {
    isMoving = false;
  }
}

/** Go from a pair that is gone to the next one. */
async function leave() {
  isMoving = true;
  try {
    const next = await nextOne();
    if (next) show(next, true);
    else location.assign(nextPage);
  } finally {
    isMoving = false;
  }
}

/** Where to go when there is no further pair to show. */
let nextPage = place.dataset.queueUrl ?? location.pathname;

/** @returns {Promise<HTMLElement | null>} */
async function nextOne() {
  await loading;
  let next = upcoming.shift();
  if (next && Date.now() - next.at > FRESH_MS && !lists.has(next.article)) {
    upcoming = [];
    next = undefined;
  }
  if (!next) {
    await load();
    next = upcoming.shift();
  }
  return next?.article ?? null;
}

/**
 * Load the pair after the one on the page, unless one is there. Only when nothing is
 * on its way any more: until then the server takes the last pair for unfinished.
 */
function loadAhead() {
  if (upcoming.length > 0 || loading) return;
  loading = outbox
    .settled()
    .then(load)
    .finally(() => {
      loading = null;
    });
}

async function load() {
  const url = new URL(place.dataset.nextUrl ?? "", location.href);
  url.searchParams.set("besides", shown().dataset.pair ?? "");
  try {
    const response = await fetch(url, { headers: PIECE, redirect: "manual" });
    if (response.status === 204) {
      nextPage = response.headers.get("X-Next-Page") ?? nextPage;
    } else if (response.headers.has("HX-Redirect")) {
      nextPage = response.headers.get("HX-Redirect") ?? nextPage;
    } else if (response.ok) {
      const article = piece(await response.text());
      if (article && !isHere(article)) upcoming.push({ article, at: Date.now() });
    }
  } catch {
    // Asked for again when it is needed.
  }
}

/**
 * Whether a pair is on the page, comes next already, or is on its way to the server.
 * @param {HTMLElement} article
 * @returns {boolean}
 */
function isHere(article) {
  const known = [shown(), ...upcoming.map((next) => next.article), ...outbox.articles];
  return known.some((other) => other.dataset.pair === article.dataset.pair);
}

/**
 * @param {string} html
 * @returns {HTMLElement | null}
 */
function piece(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  const article = template.content.querySelector("[data-judge]");
  return article instanceof HTMLElement ? article : null;
}

/**
 * Put a pair in the place of the one that is shown.
 * @param {HTMLElement} article
 * @param {boolean} isNew whether the address changes with it
 */
function show(article, isNew) {
  stampClock(formOf(shown()));
  place.replaceChildren(article);
  if (isNew && article.dataset.url !== location.pathname) {
    history.pushState({}, "", article.dataset.url);
  }
  enable(article);
  // Drafts, clock and lease wake up for pieces that come onto the page.
  document.dispatchEvent(new CustomEvent("htmx:afterSettle"));
  if (place.getBoundingClientRect().top < 0) place.scrollIntoView({ block: "start" });
  focusList(article);
  loadAhead();
}

/**
 * Show a pair again that was left too early; the present one comes after it.
 * @param {HTMLElement} article
 * @param {string} words
 */
async function back(article, words) {
  const present = shown();
  if (present !== article) upcoming.unshift({ article: present, at: Date.now() });
  show(article, true);
  problem(article, words);
}

/**
 * @param {HTMLElement} article
 * @param {string} words
 * @param {boolean} canRetry
 */
function complain(article, words, canRetry) {
  const template = document.getElementById("judge-problem");
  if (!(template instanceof HTMLTemplateElement) || !outcome) return;
  outcome.replaceChildren(template.content.cloneNode(true));
  const put = (/** @type {string} */ name, /** @type {string} */ text) => {
    const spot = outcome.querySelector(`[data-problem-${name}]`);
    if (spot) spot.textContent = text;
  };
  put("words", words);
  put("claim", claimOf(article));
  const again = outcome.querySelector("[data-problem-again]");
  if (again instanceof HTMLElement) {
    again.hidden = !canRetry;
    again.addEventListener("click", () => {
      outcome.replaceChildren();
      outbox.retry();
    });
  }
  outcome.querySelector("[data-problem-back]")?.addEventListener("click", () => {
    outcome.replaceChildren();
    outbox.forget(article);
    void back(article, words);
  });
}

async function undo() {
  if (isMoving) return;
  isMoving = true;
  try {
    await outbox.settled();
    const data = new URLSearchParams();
    const response = await post(place.dataset.undoUrl ?? "", data);
    if (response.type === "opaqueredirect") {
      signIn(shown());
      return;
    }
    const text = await response.text();
    const article = response.ok ? piece(text) : null;
    if (!article) {
      problem(shown(), response.status === 409 ? text : "Nothing was taken back; try again.");
      return;
    }
    const present = shown();
    void draftOf(formOf(present))?.save();
    upcoming.unshift({ article: present, at: Date.now() });
    show(article, true);
    if (outcome) outcome.replaceChildren();
    tell(`Taken back, to be changed and submitted again: ${claimOf(article)}`);
    problem(article, "Taken back. Change your answer and submit it again.", true);
  } catch {
    problem(shown(), "The server cannot be reached; nothing was taken back.");
  } finally {
    isMoving = false;
  }
}

outcome?.addEventListener("submit", (event) => {
  event.preventDefault();
  void undo();
});

// The address of a pair that was left leads to what the server says about it now.
addEventListener("popstate", () => {
  if (location.pathname !== shown().dataset.url) location.reload();
});
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
addEventListener("beforeunload", (event) => {
  if (outbox.isWaiting) event.preventDefault();
});

enable(shown());
if (!shown().querySelector(".cd-error-summary")) focusList(shown());
loadAhead();
