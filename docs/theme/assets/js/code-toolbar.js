/**
 * Takes the landmark away from the theme's copy buttons.
 *
 * The theme puts each button into a <nav> without a name, and a page has many: a list of landmarks
 * would be filled with them. Blocks get their button when they are first seen, hence the observer.
 */
const demote = () => {
  for (const bar of document.querySelectorAll("nav.md-code__nav:not([role])")) {
    bar.setAttribute("role", "none");
  }
};

new MutationObserver(demote).observe(document.body, { childList: true, subtree: true });
demote();
