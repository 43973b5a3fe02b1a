// Text size and line length, chosen in the display menu.

import { bindChoice } from "./preferences.js";

for (const group of document.querySelectorAll("[data-reading-choice]")) {
  if (!(group instanceof HTMLElement)) continue;
  const key = group.dataset.readingChoice ?? "";
  bindChoice(group, key, (value) => {
    document.documentElement.dataset[key] = value;
  });
}
