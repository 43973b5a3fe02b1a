// Applies the reader's theme, text size and line length before the first paint.
// It is a plain script in <head>, not a module: a module would run too late and
// the page would flash.
(() => {
  /** @param {string} key */
  const stored = (key) => {
    try {
      return localStorage.getItem(`claimdesk.${key}`);
    } catch {
      return null; // storage is forbidden: the defaults hold
    }
  };
  const root = document.documentElement;
  const systemIsDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = stored("theme") ?? "system";
  root.dataset.bsTheme = theme === "system" ? (systemIsDark ? "dark" : "light") : theme;
  root.dataset.textSize = stored("textSize") ?? "normal";
  root.dataset.lineLength = stored("lineLength") ?? "normal";
})();
