/**
 * Mends what the theme leaves out of the keyboard's reach, and keeps the place on the page.
 *
 * - Each copy button stands in a <nav> without a name; a list of landmarks would be full of them.
 * - A table that is wider than the page scrolls in a box that the keyboard cannot reach.
 *
 * - The menu and the search of a narrow screen open by labels, which no key reaches.
 * - The language switch leads to the same page; its headings have the same ids in both languages.
 *
 * The first two appear late (a code block gets its button when it is first seen), hence the
 * observer.
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

for (const label of document.querySelectorAll("label.md-header__button[role=button]")) {
  label.tabIndex = 0;
  label.addEventListener("keydown", (event) => {
    if (event.key !== " ") return; // the theme itself answers to Enter
    event.preventDefault();
    label.click();
  });
}

addEventListener("keydown", (event) => {
  const drawer = document.getElementById("__drawer");
  if (event.key === "Escape" && drawer.checked) drawer.click();
});

for (const link of document.querySelectorAll("a.al-language")) {
  link.addEventListener("click", () => {
    link.hash = location.hash;
  });
}
