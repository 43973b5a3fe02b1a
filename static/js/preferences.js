// The reader's own settings, kept in this browser.

/**
 * Return a stored setting, or nothing where none is kept or storage is forbidden.
 * @param {string} key
 * @returns {string | null}
 */
export function readPreference(key) {
  try {
    return localStorage.getItem(`claimdesk.${key}`);
  } catch {
    return null;
  }
}

/**
 * Keep a setting; where storage is forbidden it holds for this page only.
 * @param {string} key
 * @param {string} value
 */
export function writePreference(key, value) {
  try {
    localStorage.setItem(`claimdesk.${key}`, value);
  } catch {
    // The page already shows the choice.
  }
}

/**
 * Check the radio button of the stored value and call back on each choice.
 * @param {HTMLElement} group
 * @param {string} key
 * @param {(value: string) => void} onChoice
 */
export function bindChoice(group, key, onChoice) {
  const current = readPreference(key);
  for (const input of group.querySelectorAll("input")) {
    if (current !== null) input.checked = input.value === current;
    input.addEventListener("change", () => {
      writePreference(key, input.value);
      onChoice(input.value);
    });
  }
}
