// Buttons that print the page: <button data-print>.

document.addEventListener("click", (event) => {
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest("[data-print]")) window.print();
});
