/** The state of the bank lesson: an object of strings, or the hash of an address. */

/** Every part of the state, its values, and where the lesson starts. */
export const OPTIONS = {
  sentence: ["river", "savings"],
  mode: ["scaled", "unscaled", "uniform"],
  ask: ["1", "2", "3", "4"],
  choice: ["soft", "hard"],
  step: ["1", "2", "3", "4", "5", "6"],
};
const START = { sentence: "river", mode: "scaled", ask: "4", choice: "soft", step: "1" };
const MARK = "#live.";

/** Returns the state whose parts `get` gives; what is missing or unknown is as at the start. */
export const valid = (get) =>
  Object.fromEntries(
    Object.entries(OPTIONS).map(([part, values], k) => {
      const value = String(get(part, k));
      return [part, values.includes(value) ? value : START[part]];
    }),
  );

/** Returns the hash of a state, such as #live.river.scaled.4.soft.1 */
export const toHash = (state) => MARK + Object.values(state).join(".");

/** Returns the state of a hash, or null; a hash is only compared, and never gets into the page. */
export function fromHash(hash) {
  const values = hash.slice(MARK.length).split(".");
  const state = valid((_part, k) => values[k]);
  return toHash(state) === hash ? state : null;
}
