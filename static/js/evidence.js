// Evidence for a claim: Enter sends the claim, which is one line; p and n mark the
// abstract in which the focus is. Without this module all of it are plain buttons.

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.ctrlKey || event.metaKey) return;
  const area = event.target;
  if (!(area instanceof HTMLTextAreaElement) || event.isComposing || event.repeat) return;
  if (!area.form?.matches("[data-claim-form]")) return;
  event.preventDefault();
  area.form.requestSubmit();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
  if (event.key !== "p" && event.key !== "n") return;
  const focused = event.target instanceof Element ? event.target : null;
  const abstract = focused?.closest("[data-evidence]");
  const button = abstract?.querySelector(`button[data-key=${event.key}]`);
  if (!(button instanceof HTMLButtonElement)) return;
  event.preventDefault();
  button.click();
});
