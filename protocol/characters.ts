/** The number of Unicode code points of a text; `text.length` counts UTF-16 units. */
export function characterCount(text: string): number {
  let count = 0;
  for (const _character of text) count++;
  return count;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

/** ECMAScript 2024 has it, a hundred times as fast; some browsers do not. */
const native = (String.prototype as { isWellFormed?: (this: string) => boolean }).isWellFormed;

/** True for a text that UTF-8 can carry: half of a surrogate pair stands for nothing. */
export const isWellFormed = (text: string): boolean => (native ? native.call(text) : !LONE_SURROGATE.test(text));
