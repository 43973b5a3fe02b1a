// The token with which this browser's newest session answers for a request.
//
// Not the one that stands in the page: whoever signs in again in another tab gets
// another token, and what is sent from this tab afterwards needs that one.

/** @returns {string} */
export function csrfToken() {
  const cookie = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie);
  if (cookie?.[1]) return decodeURIComponent(cookie[1]);
  const field = document.querySelector("input[name=csrfmiddlewaretoken]");
  return field instanceof HTMLInputElement ? field.value : "";
}

// The header that htmx takes from the page may be of an older session.
document.addEventListener("htmx:configRequest", (event) => {
  if (!(event instanceof CustomEvent)) return;
  event.detail.headers["X-CSRFToken"] = csrfToken();
});
