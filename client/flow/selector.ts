import { type Pattern, patternOf } from './pattern.ts';
import type { Value } from './value.ts';

export const FLAGS = ['enabled', 'selected', 'checked', 'focused'] as const;
export type FlagName = (typeof FLAGS)[number];

/** Where an element is, as seen from another one; of several the nearest is meant. */
export const SIDES = ['below', 'above', 'leftOf', 'rightOf'] as const;
export type Side = (typeof SIDES)[number];

/** What an element is found by. */
export interface Selector {
  readonly text?: Pattern;
  readonly id?: Pattern;
  /** From 0 at the top; from -1 at the bottom. */
  readonly index?: number;
  readonly flags: Readonly<Partial<Record<FlagName, boolean>>>;
  readonly sides: readonly { readonly side: Side; readonly of: Selector }[];
  readonly childOf?: Selector;
  /** All of these are within it; `isChild` directly. */
  readonly contains: readonly { readonly what: Selector; readonly isChild: boolean }[];
  /** For people, with variables by name. */
  readonly words: string;
}

export const SELECTOR_FIELDS = [
  'text',
  'id',
  'index',
  ...FLAGS,
  ...SIDES,
  'childOf',
  'containsChild',
  'containsDescendants',
  // They belong to the command, and stand here all the same.
  'label',
  'optional',
] as const;

const PIXELS = 'the tree of the screen has no pixels';
/** Fields of the format that nothing here can say. */
export const SELECTOR_REFUSED: Readonly<Record<string, string>> = {
  width: PIXELS,
  height: PIXELS,
  tolerance: PIXELS,
  traits: 'use a text or an id',
  css: 'pages are seen by their accessibility tree',
};

type Fields = Readonly<Partial<Record<(typeof SELECTOR_FIELDS)[number], Value>>>;

const INDEX_MAX = 4_999;

/** Reads `Save`, or `{ id: save, below: Title }`. */
export function readSelector(value: Value): Selector {
  if (value.isScalar)
    return { text: patternOf(value.text()), flags: {}, sides: [], contains: [], words: quoted(value) };
  const fields = value.record('an element', SELECTOR_FIELDS, SELECTOR_REFUSED);
  return selectorOf(value, fields);
}

/** The same of fields that have been read, among others. */
export function selectorOf(value: Value, fields: Fields): Selector {
  const { text, id, index, childOf, containsChild, containsDescendants } = fields;
  const sides = SIDES.flatMap((side) => {
    const of = fields[side];
    return of === undefined ? [] : [{ side, of: readSelector(of) }];
  });
  const flags = FLAGS.flatMap((name) => {
    const flag = fields[name];
    return flag === undefined ? [] : [[name, flag.flag()] as const];
  });
  const contains = [
    ...(containsChild ? [{ what: readSelector(containsChild), isChild: true }] : []),
    ...(containsDescendants?.list('elements').map((one) => ({ what: readSelector(one), isChild: false })) ?? []),
  ];
  const parent = childOf && readSelector(childOf);
  if (!text && !id && flags.length + sides.length + contains.length === 0 && !parent) {
    throw value.fault('This names no element: "text" or "id" is missing.');
  }
  return {
    ...(text ? { text: patternOf(text.text()) } : {}),
    ...(id ? { id: patternOf(id.text()) } : {}),
    ...(index ? { index: index.whole('a number of an element', -INDEX_MAX, INDEX_MAX) } : {}),
    flags: Object.fromEntries(flags),
    sides,
    ...(parent ? { childOf: parent } : {}),
    contains,
    words: [
      ...(text ? [quoted(text)] : []),
      ...(id ? [`id ${quoted(id)}`] : []),
      ...flags.map(([name, is]) => (is ? name : `not ${name}`)),
      ...sides.map(({ side, of }) => `${SIDE_WORDS[side]} ${of.words}`),
      ...(parent ? [`in ${parent.words}`] : []),
      ...contains.map(({ what }) => `with ${what.words}`),
      ...(index ? [`number ${index.written}`] : []),
    ].join(' '),
  };
}

const SIDE_WORDS = { below: 'below', above: 'above', leftOf: 'left of', rightOf: 'right of' } as const;

const quoted = (value: Value): string => JSON.stringify(value.written);
