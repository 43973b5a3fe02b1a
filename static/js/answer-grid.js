// The rationales of a claim and its negation: <table data-answer-grid>, whose cells
// hold a select each. Every select becomes one button that goes through its choices;
// arrow keys move between them, Space or a click goes on. Without this module the
// selects work as they are.

for (const table of document.querySelectorAll("table[data-answer-grid]")) {
  if (table instanceof HTMLTableElement) makeGrid(table);
}

/** @typedef {{select: HTMLSelectElement, button: HTMLButtonElement}} Cell */

/** @param {HTMLTableElement} table */
function makeGrid(table) {
  /** @type {Cell[][]} */
  const rows = [...table.tBodies].flatMap((body) =>
    [...body.rows].map((row) =>
      [...row.querySelectorAll("select")].map((select) => makeCell(select)),
    ),
  );
  table.setAttribute("role", "grid");
  const first = rows[0]?.[0];
  if (first) first.button.tabIndex = 0;
  rows.forEach((cells, row) => {
    cells.forEach((cell, column) => {
      cell.button.addEventListener("keydown", (event) => {
        const next = target(rows, row, column, event.key);
        if (!next || event.ctrlKey || event.altKey || event.metaKey) return;
        event.preventDefault();
        move(rows, next);
      });
      cell.button.addEventListener("focus", () => move(rows, cell));
    });
  });
  table.closest("form")?.addEventListener("draft:filled", () => rows.flat().forEach(show));
  offerCopy(table, rows);
}

/**
 * @param {HTMLSelectElement} select
 * @returns {Cell}
 */
function makeCell(select) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "cd-cycle";
  button.tabIndex = -1;
  const cell = { select, button };
  select.hidden = true;
  for (const label of select.labels) label.hidden = true;
  select.after(button);
  button.addEventListener("click", () => {
    select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
    select.dispatchEvent(new Event("change", { bubbles: true }));
    show(cell);
  });
  show(cell);
  return cell;
}

/** @param {Cell} cell */
function show({ select, button }) {
  const words = select.selectedOptions[0]?.text ?? "";
  button.textContent = select.value ? words : "–";
  button.dataset.value = select.value;
  button.setAttribute("aria-label", `${select.labels[0]?.textContent ?? ""}: ${words}`);
}

/**
 * @param {Cell[][]} rows
 * @param {number} row
 * @param {number} column
 * @param {string} key
 * @returns {Cell | undefined}
 */
function target(rows, row, column, key) {
  if (key === "ArrowDown") return rows[row + 1]?.[column];
  if (key === "ArrowUp") return rows[row - 1]?.[column];
  if (key === "ArrowRight") return rows[row]?.[column + 1];
  if (key === "ArrowLeft") return rows[row]?.[column - 1];
  if (key === "Home") return rows[0]?.[column];
  if (key === "End") return rows.at(-1)?.[column];
  return undefined;
}

/**
 * @param {Cell[][]} rows
 * @param {Cell} next
 */
function move(rows, next) {
  for (const cell of rows.flat()) cell.button.tabIndex = cell === next ? 0 : -1;
  if (document.activeElement !== next.button) next.button.focus();
}

/**
 * @param {HTMLTableElement} table
 * @param {Cell[][]} rows
 */
function offerCopy(table, rows) {
  const help = table.closest("section")?.querySelector(".cd-grid-help");
  if (!(help instanceof HTMLElement)) return;
  help.hidden = false;
  help.querySelector("[data-copy-rationale]")?.addEventListener("click", () => {
    for (const [from, to] of rows) {
      if (!from || !to) continue;
      to.select.value = from.select.value;
      to.select.dispatchEvent(new Event("change", { bubbles: true }));
      show(to);
    }
  });
}
