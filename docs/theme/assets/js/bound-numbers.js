/**
 * Shows in a box where a figure comes from. Hover and focus open it; click, tap, Enter and Space
 * keep it, for Tab to go in, or close it, as do Escape and a click elsewhere. A block is one Tab
 * stop: Left, Right, Home, End. Without popover, figures stay links.
 */
const box = document.getElementById("al-origin-box").content.firstElementChild;
const [text, link, hint] = box.querySelectorAll("samp, a, [hidden]");
let figure; // that the box stands at
let timer;

const group = (one) => [...one.closest("p, li, dd, table, div").querySelectorAll("a.al-n")];

function place() {
  if (!figure) return;
  const { top, bottom, left } = figure.getBoundingClientRect();
  const above = top - box.offsetHeight - 6;
  box.style.left = `${Math.min(left, document.body.clientWidth - box.offsetWidth - 6)}px`;
  box.style.top = `${scrollY + (above < 60 ? bottom + 6 : above)}px`; // 60: below the header
}

function show(next, kept = false) {
  clearTimeout(timer);
  figure?.removeAttribute("aria-describedby");
  figure?.setAttribute("aria-expanded", false);
  figure = next;
  if (!figure) return box.remove();
  text.textContent = `${figure.dataset.from} = ${figure.firstChild.value}`;
  link.textContent = `${figure.dataset.lab}.py`;
  link.href = figure.href;
  link.tabIndex = kept ? 0 : -1;
  hint.hidden = !group(figure)[1] || !figure.matches(":focus-visible");
  figure.setAttribute("aria-describedby", box.id);
  figure.setAttribute("aria-expanded", kept);
  figure.after(box); // next for Tab and screen readers
  box.showPopover();
  place();
}

const on = {
  scroll: place,
  pointerover({ pointerType, target }) {
    if (pointerType === "touch" || figure?.matches(":focus-visible, [aria-expanded=true]")) return;
    clearTimeout(timer);
    const hit = target.closest("a.al-n, #al-origin");
    if (hit !== box) timer = setTimeout(show, 200, hit);
  },
  // Not pointerdown: that finger may be about to scroll.
  pointerup({ target }) {
    if (!target.closest("a.al-n, #al-origin") && getSelection().isCollapsed) show();
  },
  click(event) {
    const hit = event.target.closest("a.al-n");
    if (event.target === link) show();
    if (!hit || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    show(hit.ariaExpanded === "true" ? null : hit, true);
  },
  focusin({ target }) {
    if (target !== figure && target !== link) show(target.closest("a.al-n:focus-visible"));
  },
  keydown(event) {
    const { key, target } = event;
    if (key === "Escape") {
      if (target === link) figure.focus();
      show();
    }
    if (!target.matches("a.al-n") || event.altKey || event.metaKey) return;
    const all = group(target);
    const at = all.indexOf(target);
    const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: all.length - 1, " ": at };
    const to = all[ways[key]];
    if (!to) return;
    event.preventDefault();
    target.tabIndex = -1;
    to.tabIndex = 0;
    to.focus();
    if (key === " ") to.click();
  },
};

if (box.showPopover) {
  for (const one of document.querySelectorAll("a.al-n")) {
    one.role = "button";
    one.ariaExpanded = false;
    one.tabIndex = one === group(one)[0] ? 0 : -1;
  }
  for (const name in on) document.addEventListener(name, on[name], true);
  addEventListener("resize", place);
}
