// Two texts line by line: what one has and the other has not.
import { make } from "./dom.js";
import { read, write } from "./json.js";

const mostLines = 1500;

/** A document written as all are, so that only what says something else differs. */
export function even(text) {
  try { return write(read(text), 60); } catch { return text; }
}

/** [{ kind: "same" | "old" | "new", line }], by a longest common row of lines, O(n·m) of the part that differs. */
export function difference(old, now) {
  const one = old.split("\n"), other = now.split("\n");
  let start = 0, end = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  while (end < one.length - start && end < other.length - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  const left = one.slice(start, one.length - end), right = other.slice(start, other.length - end);
  const same = (lines) => lines.map((line) => ({ kind: "same", line }));
  const middle = left.length > mostLines || right.length > mostLines
    ? [...left.map((line) => ({ kind: "old", line })), ...right.map((line) => ({ kind: "new", line }))]
      : inner(left, right);
  return [...same(one.slice(0, start)), ...middle, ...same(one.slice(one.length - end))];
}

function inner(left, right) {
  const width = right.length + 1, table = new Uint16Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      table[row * width + column] = left[row] === right[column] ? table[(row + 1) * width + column + 1] + 1
        : Math.max(table[(row + 1) * width + column], table[row * width + column + 1]);
    }
  }
  const result = [];
  let row = 0, column = 0;
  while (row < left.length || column < right.length) {
    const rest = table[row * width + column + 1] ?? 0, below = table[(row + 1) * width + column] ?? 0;
    if (row < left.length && column < right.length && left[row] === right[column]) {
      result.push({ kind: "same", line: left[row] });
      row++;
      column++;
    } else if (column >= right.length || (row < left.length && below >= rest)) {
      result.push({ kind: "old", line: left[row++] });
    } else {
      result.push({ kind: "new", line: right[column++] });
    }
  }
  return result;
}

/** The lines of a difference that differ, and some around them, with `…` in the place of the others. */
export function near(lines, around = 2) {
  const isNear = (index) => lines.slice(Math.max(0, index - around), index + around + 1).some(({ kind }) => kind !== "same");
  return lines.flatMap((line, index) => isNear(index) ? [line] : index && isNear(index - 1) ? [{ kind: "same", line: "…" }] : []);
}

/** A text with the lines marked that the other has not; `kind`: "old" or "new", or both of them. */
export function marked(lines, kinds, label) {
  const signs = { same: "  ", old: "− ", new: "+ " };
  return make("pre", { class: "diff code", tabIndex: 0, "aria-label": label },
    ...lines.filter(({ kind }) => kind === "same" || kinds.includes(kind))
      .map(({ kind, line }) => make("span", { class: `line ${kind}`, text: `${signs[kind]}${line}\n` })));
}
