// @ts-check
// One box in the head of a table ticks every row of the page.

for (const all of document.querySelectorAll("input[data-tick-all]")) {
  if (all instanceof HTMLInputElement) {
    all.hidden = false;
    all.addEventListener("change", () => {
      const rows = all.closest("table")?.querySelectorAll("input[name=item]") ?? [];
      for (const row of rows) {
        if (row instanceof HTMLInputElement) row.checked = all.checked;
      }
    });
  }
}
