// Keys for a replay: the arrow keys, Home and End follow the links of the buttons.
const RELS = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.target.closest("input, select, textarea, .scroll")) return;
  const link = RELS[event.key] && document.querySelector(`.steps a[rel="${RELS[event.key]}"]`);
  if (!link || link.href === location.href) return;
  event.preventDefault();
  link.click();
});
