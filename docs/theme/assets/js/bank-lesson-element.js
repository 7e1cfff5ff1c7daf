/**
 * <bank-lesson>: attention in two sentences that end in bank, step by step, every number open.
 *
 * Attributes, all reflected: sentence (river, savings), mode (scaled, unscaled, uniform), ask (1 to
 *   4), choice (soft, hard), step (1 to 6); also ready (it is live) and guessing (it waits for one).
 * Events, both bubble, detail {from, to}: bank-lesson-change, cancelable, and bank-lesson-changed.
 * Keyboard: left and right, Home and End for the steps; arrows, Enter and Escape for the numbers.
 * Fallback: its own content. The page supplies words (templates) and data; the hash keeps the state.
 */
import { attention } from "./attention-math.js";
import { figuresOf, largest, partsOf, shown, sign, toMarkdown } from "./bank-lesson-figures.js";
import { fromHash, OPTIONS, toHash, valid } from "./bank-lesson-state.js";
import { drawArcs, drawMix, fill, fillPlaces, put, save, say, tint } from "./bank-lesson-view.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
const SCORES = 3; // the last step that leaves something to guess
const LAST = 6;
const SWIPE = 40; // pixels

export class BankLessonElement extends HTMLElement {
  static observedAttributes = Object.keys(OPTIONS);

  #data;
  #templates;
  #words;
  #live;
  #listening;
  #setting = false;
  #guessed = new Set();
  #guess = ""; // the token guessed for what is on the screen
  #open; // the button of the number whose substitution shows
  #touch;

  connectedCallback() {
    if (!this.#live) this.#build();
    this.#listening = new AbortController();
    const { signal } = this.#listening;
    const on = (type, act, target = this.#live) => target.addEventListener(type, act, { signal });
    on("change", ({ target }) => this.change({ [target.name]: target.value }));
    on("click", ({ target }) => this.#clicked(target.closest("button")));
    on("keydown", (event) => this.#pressed(event));
    on("focusin", ({ target }) => target.dataset.of && this.#stopAt(target));
    on("touchstart", ({ touches }) => (this.#touch = touches[0]));
    on("touchend", ({ changedTouches }) => this.#swiped(changedTouches[0]));
    on("hashchange", () => this.#readHash(), window);
    this.#set(this.state);
    this.#readHash();
    this.setAttribute("ready", "");
  }

  disconnectedCallback() {
    this.#listening.abort();
  }

  attributeChangedCallback(_name, before, now) {
    if (this.#listening && !this.#setting && before !== now) this.#render();
  }

  /** The state: a string for each attribute. */
  get state() {
    return valid((part) => this.getAttribute(part));
  }

  /** What the state computes: the data, and every intermediate from query to output. */
  get trace() {
    return this.#compute(this.state);
  }

  /** Changes the state as a reader does: with events, a guess where one is due, and the hash. */
  change(changes) {
    const from = this.state;
    const to = valid((part) => changes[part] ?? from[part]);
    const tell = (type, cancelable) =>
      this.dispatchEvent(new CustomEvent(type, { bubbles: true, cancelable, detail: { from, to } }));
    if (!tell("bank-lesson-change", true)) return this.#render(); // puts the controls back
    const due =
      (to.step >= SCORES && to.sentence !== from.sentence) || // before, there is nothing to go by
      (to.step > SCORES && from.step <= SCORES) ||
      (to.step === from.step && this.hasAttribute("guessing"));
    this.toggleAttribute("guessing", due && !this.#guessed.has(question(to)));
    this.#guess = "";
    this.#one("pre").hidden = true; // its code is that of the state before
    this.#one(".bl-status").textContent = "";
    this.#set(to);
    history.replaceState(history.state, "", toHash(to));
    tell("bank-lesson-changed");
  }

  /** Writes a state to the attributes and shows it once. */
  #set(state) {
    this.#setting = true;
    for (const part in state) this.setAttribute(part, state[part]);
    this.#setting = false;
    this.#render();
  }

  #readHash() {
    const state = fromHash(location.hash);
    if (!state) return;
    this.removeAttribute("guessing");
    this.#set(state);
    this.scrollIntoView();
  }

  #compute({ sentence, mode, choice, ask }) {
    const { sentences, dimensions, embeddings, W_q, W_k, W_v } = this.#data;
    const tokens = sentences[sentence];
    const x = tokens.map((token) => embeddings[token]);
    const steps = attention(x, W_q, W_k, W_v, { mode, choice });
    return { sentence, mode, choice, asking: ask - 1, tokens, dimensions, x, W_q, W_k, W_v, ...steps };
  }

  #build() {
    const named = [...this.querySelectorAll("template")].map((one) => [one.dataset.name, one.content]);
    this.#templates = Object.fromEntries(named);
    this.#words = Object.fromEntries(named.map(([name, { textContent }]) => [name, textContent]));
    this.#data = JSON.parse(this.querySelector("script").textContent);
    this.append(this.#templates.controls.cloneNode(true));
    this.#live = this.lastElementChild;
  }

  #all(selector) {
    return [...this.#live.querySelectorAll(selector)];
  }

  #one(selector) {
    return this.#live.querySelector(selector);
  }

  #fill(name, figures, ...on) {
    return fill(this.#templates[name], figures, [...Object.values(this.state), ...on]);
  }

  #figures(trace) {
    const sentence = OPTIONS.sentence.find((one) => one !== trace.sentence);
    return figuresOf(trace, this.#compute({ ...this.state, sentence }), this.#words);
  }

  #render() {
    const { state, trace } = this;
    const { asking, scores, weights } = trace;
    const focused = document.activeElement;
    const guessing = this.hasAttribute("guessing");
    const seen = guessing ? Math.min(state.step, SCORES) : Number(state.step);
    const weighed = seen > SCORES;
    const row = (weighed ? weights : scores)[asking];
    const main = weighed ? largest(row) : [];
    const figures = this.#figures(trace);

    this.#live.dataset.seen = seen;
    fillPlaces(this.#live, figures);
    for (const input of this.#all("input")) input.checked = state[input.name] === input.value;
    for (const mark of this.#all("[data-step]")) {
      mark.ariaCurrent = mark.dataset.step === state.step ? "step" : null;
      mark.classList.toggle("bl-done", mark.dataset.step < state.step);
    }
    for (const go of this.#all("[data-go]")) go.disabled = !after(state, go.dataset.go);
    for (const panel of this.#all("[data-steps]")) panel.hidden = !panel.dataset.steps.includes(seen);
    this.#one(".bl-guess").hidden = !guessing;
    this.#say(state, trace, figures, guessing);
    this.#showNumbers(trace, seen);
    drawArcs(this.#all("path"), asking, weighed && row, main);
    drawMix(this.#all(".bl-bar"), trace);
    this.#all(".bl-tokens small").forEach((below, j) => {
      put(below, seen < SCORES ? "" : shown(row[j]));
      tint(below.parentNode, weighed ? row[j] : 0);
      below.parentNode.classList.toggle("bl-main", main.includes(j));
    });
    this.#substitute(trace);
    // What had the focus may be gone now.
    if (this.#live.contains(focused) && focused.closest("[hidden], :disabled")) this.#here.focus();
  }

  get #here() {
    return this.#one("[aria-current]");
  }

  #say({ step, choice }, { asking, scores, weights, output }, figures, guessing) {
    const tied = largest(scores[asking]).length > 1 ? "tied" : "clear";
    const numbers = { ...figures, equals: sign((step > 4 ? output : weights)[asking]) };
    let answer = guessing && "ask";
    if (this.#guess) {
      const right = largest(weights[asking]).includes(this.#guess - 1) ? "right" : "wrong";
      answer = tied === "tied" ? tied : right;
      numbers.guess = figures[`token${this.#guess}`];
      numbers.guess_score = shown(scores[asking][this.#guess - 1]);
    }
    const hides = guessing && step > SCORES;
    say(this.#one(".bl-title"), !hides && this.#words[`step${step}_title`]);
    say(this.#one(".bl-text"), !hides && this.#fill(`step${step}`, numbers, `${tied}_${choice}`));
    say(this.#one(".bl-verdict"), answer && this.#fill("predict", numbers, answer));
  }

  /** Tells what a number's button stands for: quantity, row, column. */
  #place({ dataset: { of, i, j } }, { asking }) {
    const weighed = of === "scores" && this.#live.dataset.seen > SCORES;
    return [weighed ? "weights" : of, of === "output" ? asking : Number(i), Number(j)];
  }

  #name({ tokens }, [of, i, j]) {
    const column = /scores|weights/.test(of) ? tokens[j] : this.#words[`dimension${j + 1}`];
    return this.#words[`name_${of}`].replace("{row}", tokens[i]).replace("{column}", column);
  }

  #showNumbers(trace, seen) {
    for (const row of this.#all("[data-row]")) {
      row.classList.toggle("al-row-on", row.dataset.row === String(trace.asking));
    }
    // What no step shows now can wait.
    for (const cell of this.#all("[data-steps]:not([hidden]) [data-of]")) {
      const place = this.#place(cell, trace);
      const [of, i, j] = place;
      const number = trace[of][i][j];
      const full = of === "weights" ? 1 : Math.max(...trace[of].flat()) || 1;
      cell.hidden = cell.dataset.of === "scores" && seen < LAST && i !== trace.asking;
      put(cell, shown(number));
      cell.ariaLabel = `${this.#name(trace, place)} = ${shown(number)}`;
      tint(cell.parentNode, cell.hidden ? 0 : number / full);
      cell.closest("table").dataset.shows = of;
    }
    for (const table of this.#all("table")) {
      if (!table.querySelector("[tabindex='0']:not([hidden])")) {
        this.#stopAt(table.querySelector(".al-row-on [data-of], [data-of]:not([hidden])"));
      }
    }
  }

  /** Makes one number the place where Tab enters its table. */
  #stopAt(cell) {
    for (const one of cell.closest("table").querySelectorAll("[data-of]")) one.tabIndex = -1;
    cell.tabIndex = 0;
  }

  #substitute(trace) {
    const gone = this.#open?.closest("[hidden]");
    if (gone) this.#mark(null);
    this.#one(".bl-open").hidden = !this.#open;
    if (!this.#open) return;
    const place = this.#place(this.#open, trace);
    const parts = { ...partsOf(trace, ...place), given: this.#words.given };
    say(this.#one(".bl-name"), this.#name(trace, place));
    say(this.#one(".bl-lines"), this.#fill(`open_${place[0]}`, parts));
    say(this.#one(".bl-open code"), this.#fill(`code_${place[0]}`, parts));
  }

  #mark(cell) {
    if (this.#open) this.#open.ariaExpanded = "false";
    if (cell) cell.ariaExpanded = "true";
    this.#open = cell;
  }

  #toggle(cell) {
    const before = this.#open;
    this.#mark(cell);
    this.#substitute(this.trace);
    if (cell) this.#one(".bl-open").scrollIntoView({ block: "nearest" });
    else before.focus();
  }

  #clicked(button) {
    const { step, go, guess, of, close, take } = button?.dataset ?? {};
    if (step) this.change({ step });
    if (go) this.#walk(go);
    if (guess !== undefined) this.#answer(guess);
    if (of) this.#toggle(button === this.#open ? null : button);
    if (close) this.#toggle();
    if (take) this.#take(take);
  }

  #walk(by) {
    const step = after(this.state, by);
    if (step) this.change({ step });
  }

  /** Shows what was hidden, and what became of the guess; a skip is an empty one. */
  #answer(guess) {
    this.#guessed.add(question(this.state));
    this.removeAttribute("guessing");
    this.#guess = guess;
    this.#render();
  }

  #pressed(event) {
    const { key, target } = event;
    const { of, step } = target.dataset;
    const arrow = ARROWS[key];
    const end = { Home: 1, End: LAST }[key];
    if (event.altKey || event.ctrlKey || event.metaKey || target.matches("input, pre")) return;
    if (key === "Escape" && this.#open) this.#toggle();
    else if (of && (arrow || end)) this.#move(target, arrow, end);
    else if (step && end) this.change({ step: end });
    else if (arrow?.[1]) this.#walk(arrow[1]);
    else return;
    event.preventDefault();
    if (step) this.#here.focus();
  }

  /** Moves the focus from number to number: by an arrow, or to an end of the row. */
  #move(cell, arrow, end) {
    const rows = [...cell.closest("tbody").rows]
      .map((row) => [...row.querySelectorAll("[data-of]:not([hidden])")])
      .filter((row) => row.length);
    const y = rows.findIndex((row) => row.includes(cell));
    const x = rows[y].indexOf(cell);
    const to = arrow ? rows[y + arrow[0]]?.[x + arrow[1]] : rows[y].at(end === 1 ? 0 : -1);
    to?.focus();
  }

  #swiped({ clientX, clientY, target }) {
    const [x, y] = [clientX - this.#touch.clientX, clientY - this.#touch.clientY];
    if (Math.abs(x) > Math.max(SWIPE, 2 * Math.abs(y)) && !target.closest("pre")) this.#walk(-Math.sign(x));
  }

  async #take(kind) {
    const { trace } = this;
    if (kind === "save_json") return save("bank-lesson.json", JSON.stringify(trace, null, 1));
    if (kind === "save_markdown") return save("bank-lesson.md", toMarkdown(trace));
    const link = new URL(toHash(this.state), location).href;
    const code = () => this.#fill(kind, { ...this.#figures(trace), ...trace }).textContent;
    const text = kind === "copy_link" ? link : code();
    this.#one("pre").hidden = false;
    this.#one("pre").textContent = text;
    const copying = navigator.clipboard?.writeText(text) ?? Promise.reject();
    const done = await copying.then(() => "copied", () => "not_copied");
    this.#one(".bl-status").textContent = this.#words[done];
  }
}

/** Returns the step that lies `by` further on; 0 or nothing where the lesson ends. */
const after = ({ step }, by) => [0, 1, 2, 3, 4, 5, LAST][Number(step) + Number(by)];

/** Names what a guess is about: it is asked for once. */
const question = ({ sentence, mode, ask }) => [sentence, mode, ask].join();
