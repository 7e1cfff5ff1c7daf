/**
 * Mends two things that the theme's script puts into a page.
 *
 * - Each copy button stands in a <nav> without a name; a list of landmarks would be full of them.
 * - A table that is wider than the page scrolls in a box that the keyboard cannot reach.
 *
 * Both appear late (a code block gets its button when it is first seen), hence the observer.
 */
const mend = () => {
  for (const bar of document.querySelectorAll("nav.md-code__nav:not([role])")) {
    bar.setAttribute("role", "none");
  }
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap")) {
    box.toggleAttribute("tabindex", box.scrollWidth > box.clientWidth);
    if (box.hasAttribute("tabindex")) box.tabIndex = 0;
  }
};

new MutationObserver(mend).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", mend);
mend();
