// What was changed in a text, word by word, while it is being changed.
//
// <div data-live-diff="id of the field" data-before="the text before">

const TOKEN = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** Beyond this the table of common words would grow too large for a keystroke. */
const MOST_TOKENS = 600;

/** @typedef {{kind: "equal" | "insert" | "delete", text: string}} Change */

/**
 * The way from one text to the other in whole words: a longest common subsequence.
 * @param {string} before
 * @param {string} after
 * @returns {Change[]}
 */
export function wordDiff(before, after) {
  const old = before.match(TOKEN) ?? [];
  const fresh = after.match(TOKEN) ?? [];
  if (old.length > MOST_TOKENS || fresh.length > MOST_TOKENS) {
    return [
      { kind: "delete", text: before },
      { kind: "insert", text: after },
    ];
  }
  const width = fresh.length + 1;
  const common = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = fresh.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        old[i] === fresh[j]
          ? (common[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0);
    }
  }
  /** @type {Change[]} */
  const changes = [];
  /** @param {Change["kind"]} kind @param {string} text */
  const add = (kind, text) => {
    const last = changes.at(-1);
    if (last?.kind === kind) last.text += text;
    else changes.push({ kind, text });
  };
  let i = 0;
  let j = 0;
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      add("equal", old[i] ?? "");
      i += 1;
      j += 1;
    } else if (
      j >= fresh.length ||
      (i < old.length &&
        (common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0))
    ) {
      add("delete", old[i] ?? "");
      i += 1;
    } else {
      add("insert", fresh[j] ?? "");
      j += 1;
    }
  }
  return changes;
}

const TAGS = { equal: "span", insert: "ins", delete: "del" };

/** @param {HTMLElement} place */
function watch(place) {
  const field = document.getElementById(place.dataset.liveDiff ?? "");
  if (!(field instanceof HTMLTextAreaElement)) return;
  const before = place.dataset.before ?? "";
  const words = document.querySelector("[data-approve-words]");
  const show = () => {
    const isSame = field.value.trim() === before;
    place.hidden = isSame;
    if (words) words.textContent = isSame ? "Approve and next" : "Fix and approve, then next";
    const text = document.createElement("p");
    text.className = "cd-reading cd-diff";
    text.dir = "auto";
    text.append(
      ...wordDiff(before, field.value.trim()).map((change) => {
        const part = document.createElement(TAGS[change.kind]);
        part.textContent = change.text;
        return part;
      }),
    );
    place.replaceChildren(text);
  };
  field.addEventListener("input", show);
  field.form?.addEventListener("draft:filled", show);
  show();
}

for (const place of document.querySelectorAll("[data-live-diff]")) {
  if (place instanceof HTMLElement) watch(place);
}
