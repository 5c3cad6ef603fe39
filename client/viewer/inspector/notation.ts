import type { Point, Target, UiNode } from '@runcloud/protocol';
import { middleOf } from '../../../protocol/ui-match.ts';
import { bestSelector } from '../../../protocol/ui-selector.ts';

/** The forms in which a selector is copied; the first is the default. */
export const NOTATIONS = ['sdk', 'cli', 'json'] as const;
export type Notation = (typeof NOTATIONS)[number];

/** How one means an element: by a selector, or by its place where no selector means it. */
export type Means =
  | { readonly target: Target; readonly point?: never }
  | { readonly target?: never; readonly point: Point };

export function meansOf(nodes: readonly UiNode[], node: UiNode): Means {
  const best = bestSelector(nodes, node);
  return best ? { target: best.target } : { point: middleOf(node.frame) };
}

/** As it is written in a program, in a shell, or in the body of a request. */
export function written({ target, point }: Means, notation: Notation): string {
  switch (notation) {
    case 'sdk':
      return target ? `session.get(${literal(target)})` : `session.tap(${point.x}, ${point.y})`;
    case 'cli':
      return target ? `runcloud tap ${options(target)}` : `runcloud tap ${point.x} ${point.y}`;
    default:
      return JSON.stringify(target ?? point);
  }
}

/** `{ text: 'Save', role: 'button' }` */
const literal = (target: Target): string =>
  `{ ${Object.entries(target)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? quoted(value) : value}`)
    .join(', ')} }`;

const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** The name of each option in `client/cli/target-options.ts`, where it is another one. */
const OPTIONS: Readonly<Record<string, string>> = { text: 'on' };

const options = (target: Target): string =>
  Object.entries(target)
    .map(([name, value]) => `--${OPTIONS[name] ?? name}${value === true ? '' : `=${word(String(value))}`}`)
    .join(' ');

/** A word of a POSIX shell. */
const word = (text: string): string => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
