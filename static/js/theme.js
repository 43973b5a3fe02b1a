// Light, dark or the system's theme, chosen in the display menu.

import { bindChoice, readPreference } from "./preferences.js";

const systemDark = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} choice */
function applyTheme(choice) {
  const system = systemDark.matches ? "dark" : "light";
  document.documentElement.dataset.bsTheme = choice === "system" ? system : choice;
}

const group = document.querySelector("[data-theme-choice]");
if (group instanceof HTMLElement) bindChoice(group, "theme", applyTheme);

systemDark.addEventListener("change", () => {
  applyTheme(readPreference("theme") ?? "system");
});
