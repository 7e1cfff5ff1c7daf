/** How the bank lesson draws: filled templates, tints, arcs and bars; and how it saves a file. */
import { shown } from "./bank-lesson-figures.js";

const FULL = 2; // where a bar ends: no output is larger
const WIDEST = 14; // of an arc, in pixels

/** Returns a copy of a template with figures put in as text, and what is not `on` left out. */
export function fill(template, figures, on) {
  const copied = template.cloneNode(true);
  for (const part of copied.querySelectorAll("[data-when]")) {
    if (!on.includes(part.dataset.when)) part.remove();
  }
  fillPlaces(copied, figures);
  for (const place of copied.querySelectorAll("[data-fill]")) delete place.dataset.fill;
  return copied;
}

/** Puts figures into the places for them, as text and never as markup. */
export function fillPlaces(root, figures) {
  for (const place of root.querySelectorAll("[data-fill]")) put(place, figures[place.dataset.fill]);
}

/** Writes a text if it is another one: the browser lays out anew whatever is written to. */
export function put(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
}

/** Changes what a live region says, unless it is the same: that would be read out again. */
export function say(region, content) {
  region.hidden = !content;
  if (content && region.textContent !== (content.textContent ?? content)) {
    region.replaceChildren(content);
  }
}

/** Tints a cell or a tile by its number, from -1 to 1. */
export function tint(cell, amount) {
  cell.style.setProperty("--al-t", Math.abs(amount).toFixed(3));
  cell.classList.toggle("al-below", amount < 0);
}

/** Draws the arcs from the asking token to every key; without weights their width is the style's. */
export function drawArcs(paths, asking, weights, main) {
  const from = 100 * asking + 50;
  paths.forEach((path, j) => {
    const to = 100 * j + 50;
    const [top, lean] = asking === j ? [25, 42] : [68 - 33 * Math.abs(asking - j), 0];
    path.setAttribute("d", `M${from} 100C${from - lean} ${top} ${to + lean} ${top} ${to} 100`);
    path.style.strokeWidth = weights ? weights[j] && 1 + (WIDEST - 1) * weights[j] : "";
    path.classList.toggle("bl-main", main.includes(j));
  });
}

/** Draws each coordinate of the output as what the tokens give to it, and where it started. */
export function drawMix(bars, { asking, weights, value, x }) {
  bars.forEach((bar, c) => {
    [...bar.children].forEach((part, j) => {
      if (j === weights.length) part.style.left = `${(100 * x[asking][c]) / FULL}%`;
      else {
        const given = weights[asking][j] * value[j][c];
        part.style.width = `${(100 * given) / FULL}%`;
        put(part.lastChild, shown(given));
      }
    });
  });
}

/** Hands a text to the reader as a file. */
export function save(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href)); // the click has read it by then
}
