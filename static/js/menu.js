// Closes an open menu on Escape, on a click elsewhere and when the focus leaves.

const OPEN = "details.cd-menu[open]";

/** @param {(menu: HTMLDetailsElement) => boolean} shouldClose */
function closeMenus(shouldClose) {
  for (const menu of document.querySelectorAll(OPEN)) {
    if (menu instanceof HTMLDetailsElement && shouldClose(menu)) menu.open = false;
  }
}

document.addEventListener("click", (event) => {
  closeMenus((menu) => event.target instanceof Node && !menu.contains(event.target));
});

document.addEventListener("focusin", (event) => {
  closeMenus((menu) => event.target instanceof Node && !menu.contains(event.target));
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = document.querySelector(OPEN);
  if (!(menu instanceof HTMLDetailsElement)) return;
  menu.open = false;
  menu.querySelector("summary")?.focus();
});
