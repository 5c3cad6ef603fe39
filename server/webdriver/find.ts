import vm from 'node:vm';
import type { Element } from '@xmldom/xmldom';
import { select } from 'xpath';
import { WebDriverFailure } from './failure.ts';
import type { Placed, Screen } from './screen.ts';
import { classOf, sourceOf } from './source.ts';

/** An expression is a program of the caller's; one that takes longer is ended, so that it holds up nobody else's commands. */
const XPATH_MS = 2_000;

type Find = (screen: Screen, value: string, within: Placed | undefined) => readonly Placed[];

const those =
  (fits: (placed: Placed, value: string, screen: Screen) => boolean): Find =>
  (screen, value, within) =>
    screen.elements.filter((placed) => isWithin(placed, within) && fits(placed, value, screen));

/** How elements are looked for, by the names of W3C WebDriver and Appium; each gives them in the order in which they are drawn. */
const STRATEGIES: Readonly<Record<string, Find>> = {
  'accessibility id': those(({ node: { id, name } }, value) => id === value || name === value),
  id: those(({ node: { id } }, value, { platform }) => id === value || isShortId(platform, id, value)),
  name: those(({ node: { id, name } }, value) => id === value || name === value),
  'class name': those(({ node }, value, { platform }) => classOf(platform, node) === value),
  'link text': those(({ node }, value) => textsOf(node).includes(value)),
  'partial link text': those(({ node }, value) => textsOf(node).some((text) => text.includes(value))),
  xpath: byXPath,
};

/** Throws `invalid selector` for a way or an expression that is not known. */
export function find(screen: Screen, using: string, value: string, within: Placed | undefined): readonly Placed[] {
  const strategy = Object.hasOwn(STRATEGIES, using) ? STRATEGIES[using] : undefined;
  if (strategy) return strategy(screen, value, within);
  const known = Object.keys(STRATEGIES).join(', ');
  throw new WebDriverFailure('invalid selector', `Elements are found by ${known}; not by ${JSON.stringify(using)}.`);
}

/** Android programs may leave out the package of an id: `save` for `com.example:id/save`. */
const isShortId = (platform: string, id: string | undefined, value: string): boolean =>
  platform === 'android' && id !== undefined && !value.includes(':') && id.endsWith(`:id/${value}`);

const textsOf = ({ name, value }: Placed['node']): readonly string[] =>
  [name, value].filter((text) => text !== undefined);

function isWithin(placed: Placed, within: Placed | undefined): boolean {
  if (within === undefined) return true;
  for (let above = placed.parent; above; above = above.parent) if (above === within) return true;
  return false;
}

function byXPath(screen: Screen, expression: string, within: Placed | undefined): readonly Placed[] {
  const { document, placedOf } = sourceOf(screen);
  const context = [...placedOf].find(([, placed]) => placed === within)?.[0] ?? document;
  const found = evaluated(expression, context);
  if (!Array.isArray(found)) {
    throw new WebDriverFailure('invalid selector', `${JSON.stringify(expression)} does not select elements.`);
  }
  return found.flatMap((node) => placedOf.get(node as Element) ?? []);
}

/** Node.js ends what a script has called when its time is over, which a loop of a library cannot do itself. */
function evaluated(expression: string, context: object): unknown {
  const run = { evaluate: () => select(expression, context as unknown as Node) };
  try {
    return vm.runInNewContext('evaluate()', run, { timeout: XPATH_MS });
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    const why = code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' ? `it takes longer than ${XPATH_MS} ms` : message;
    throw new WebDriverFailure('invalid selector', `${JSON.stringify(expression)} cannot be evaluated: ${why}.`);
  }
}
