/** The figures of the bank lesson as text: signs and digits; words come from the page. */
import { column } from "./attention-math.js";

const round = (x, decimals) => Number(x.toFixed(decimals));
const isExact = (x) => Math.abs(x - round(x, 3)) < 1e-9;
const long = (x) => String(round(x, 3));
const percent = (x) => `${Math.round(100 * x)}%`;

/** Returns a number as it is shown: exact if three decimals hold it, otherwise to two. */
export const shown = (x) => String(round(x, isExact(x) ? 3 : 2));

/** Returns a row of numbers as it is shown. */
export const vector = (row) => `[${row.map(shown).join(", ")}]`;

/** Returns the sign before a row of numbers as it is shown. */
export const sign = (row) => (row.every(isExact) ? "=" : "≈");

/** Returns the positions of the largest number: several if they are equal. */
export const largest = (row) => [...row.keys()].filter((j) => row[j] > Math.max(...row) - 1e-9);

/** Returns the figures that a text about the whole state can name. */
export function figuresOf(trace, other, words) {
  const { tokens, asking, x, rawScores, scores, weights, output } = trace;
  const [raw, score, weight, after, before] = [rawScores, scores, weights, output, x].map((rows) => rows[asking]);
  const list = (parts) => parts.join(words.separator);
  const main = largest(weight);
  const size = trace.choice === "hard" ? Math.abs : Number; // what one value replaces may only shrink
  const [grown] = largest(after.map((number, c) => size(number - before[c])));
  const half = (j) => (trace.mode === "scaled" ? ` / 2 = ${shown(score[j])}` : "");
  const heaviest = [...weight.keys()].sort((a, b) => weight[b] - weight[a]);
  return {
    ...Object.fromEntries(tokens.map((token, k) => [`token${k + 1}`, token])),
    ask: tokens[asking],
    x: vector(before),
    query: vector(trace.query[asking]),
    raw: vector(raw),
    divisions: list(tokens.map((token, j) => `${token} ${shown(raw[j])}${half(j)}`)),
    scores: vector(score),
    weights: vector(weight),
    main: list(main.map((j) => tokens[j])),
    best: shown(score[main[0]]),
    percent: percent(weight[main[0]]),
    shares: list(heaviest.map((j) => `${tokens[j]} ${percent(weight[j])}`)),
    output: vector(after),
    grown: words[`dimension${grown + 1}`],
    before: shown(before[grown]),
    after: shown(after[grown]),
    there: shown(weights[3][2]),
    back: shown(weights[2][3]),
    bank_output: vector(output[3]),
    other: other.tokens.join(" "),
    other_output: vector(other.output[3]),
  };
}

/** Returns the figures that the substitution of one number can name. */
export function partsOf(trace, of, i, j) {
  const { x, query, key, value, scores, weights } = trace;
  const projected = (matrix) => [x[i], column(matrix, j)];
  const [left, right] = {
    query: projected(trace.W_q),
    key: projected(trace.W_k),
    value: projected(trace.W_v),
    scores: [query[i], key[j]],
    output: [weights[i], column(value, j)],
  }[of] ?? [[], []];
  const powers = scores[i].map(Math.exp);
  const power = (score) => `e^${long(score)}`;
  const result = trace[of][i][j];
  return {
    i,
    j,
    pick: weights[i].indexOf(1),
    sum: left.map((factor, k) => `${long(factor)} × ${long(right[k])}`).join(" + "),
    raw: long(trace.rawScores[i][j]),
    scores: vector(scores[i]),
    power: power(scores[i][j]),
    powers: scores[i].map(power).join(" + "),
    part: long(powers[j]),
    total: long(powers.reduce((sum, one) => sum + one)),
    sign: sign([result]),
    result: long(result),
  };
}

/** Returns a trace as Markdown, its numbers as they are shown. */
export const toMarkdown = (trace) => {
  const item = (name, value) => `- ${name}: ${value}`;
  const labels = (name) => (name.startsWith("W") ? trace.dimensions : trace.tokens);
  const table = (name, rows) => rows.map((row, i) => item(labels(name)[i], vector(row))).join("\n");
  const part = (name, value) =>
    Array.isArray(value[0]) ? `\n## ${name}\n\n${table(name, value)}` : item(name, value);
  const parts = Object.entries(trace).map(([name, value]) => part(name, value));
  return [`# ${trace.tokens.join(" ")}\n`, ...parts, ""].join("\n");
};
