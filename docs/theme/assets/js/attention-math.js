/**
 * The mathematics of attention without a page, with the contract of attention_core in Python.
 *
 * A matrix is an array of rows; nothing that is passed in is changed. A hidden key has no influence,
 * not even if it is NaN; a row that sees nothing is zeros; a visible NaN or Infinity among the
 * scores fills its own row with NaN.
 */

/** What the dot products are multiplied by, for keys of width d. */
export const SCALES = { scaled: (d) => 1 / Math.sqrt(d), unscaled: () => 1, uniform: () => 0 };

/** Returns column j of a matrix. */
export const column = (matrix, j) => matrix.map((row) => row[j]);

/** Returns the sum of the products of two vectors. */
export const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);

/** Returns the product of a (n, m) and b (m, p). */
export const matmul = (a, b) => a.map((row) => b[0].map((_, j) => dot(row, column(b, j))));

const all = (row) => row.map(() => true);
const top = (scores, seen) => Math.max(...scores.filter((_, j) => seen[j])); // NaN if one is

/** Returns the weights of a row of scores; seen[j] tells whether key j may be seen. */
export function softmax(scores, seen = all(scores)) {
  const largest = top(scores, seen);
  if (largest === -Infinity) return scores.map(() => 0); // nothing is seen, or nothing counts
  const powers = scores.map((score, j) => (seen[j] ? Math.exp(score - largest) : 0));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power, j) => (seen[j] ? power / total : 0));
}

/** Returns weight 1 for the first of the largest scores that are seen, 0 for the others. */
export function argmax(scores, seen = all(scores)) {
  const largest = top(scores, seen);
  const picked = scores.findIndex((score, j) => seen[j] && score === largest);
  return scores.map((_, j) => Number(j === picked));
}

/** Returns weights @ value for one row; what is not finite counts whatever its weight. */
const mix = (weights, value, seen) =>
  value[0].map((_, c) =>
    weights.reduce((sum, weight, j) => {
      const x = value[j][c];
      return seen[j] ? sum + (Number.isFinite(x) ? weight * x : x + 0 * weight) : sum;
    }, 0),
  );

/**
 * Computes attention over the rows of x (n, d) with projections (d, d_k), (d, d_k), (d, d_v).
 *
 * @param {object} [options] mode: a key of SCALES; mask (n, n), true = may attend;
 *   choice: "soft", or "hard" for argmax in the place of softmax
 * @returns query, key (n, d_k), value (n, d_v), rawScores, scores, weights (n, n), output (n, d_v)
 */
export function attention(x, wQ, wK, wV, { mode = "scaled", mask, choice = "soft" } = {}) {
  const [query, key, value] = [wQ, wK, wV].map((projection) => matmul(x, projection));
  const scale = SCALES[mode](key[0].length);
  const rawScores = query.map((asking) => key.map((asked) => dot(asking, asked)));
  const scores = rawScores.map((row) => row.map((score) => score * scale));
  const seen = mask ?? scores.map(all);
  const choose = choice === "hard" ? argmax : softmax;
  const weights = scores.map((row, i) => choose(row, seen[i]));
  const output = weights.map((row, i) => mix(row, value, seen[i]));
  return { query, key, value, rawScores, scores, weights, output };
}
