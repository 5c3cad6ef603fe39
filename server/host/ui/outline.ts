import type { UiNode } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';

/** What the first line of an outline tells. */
export interface OutlineHead {
  readonly frame: number;
  readonly screen: 'on' | 'off';
  readonly app?: string | undefined;
  readonly orientation: string;
  readonly nodeCount: number;
  readonly missing?: readonly string[] | undefined;
}

/** Characters of a value in a line. */
const VALUE_MAX = 80;
/** Elements of one kind share a line up to this length. */
const LINE_MAX = 100;
/** The roles of wrappers that say nothing by themselves: what is within them stands in their place. */
const WRAPPERS: ReadonlySet<string> = new Set(['app', 'other', 'cell', 'web']);
/** Elements of these roles share a line with others of the same role beside them. */
const SHORT: ReadonlySet<string> = new Set(['button', 'cell', 'link', 'tab']);
/** Room for the line that tells of what was left out. */
const LAST_LINE_BYTES = 120;

interface Line {
  readonly depth: number;
  /** Without the ref. */
  readonly words: string;
  readonly role: string;
  readonly ref: string | undefined;
  readonly isLeaf: boolean;
}

/**
 * The elements that can be used or read, as lines for people and language models, in the order in which they are drawn: no
 * wrappers, no frames, no bars of the system, no text that its ancestor says already.
 */
export function outline(nodes: readonly UiNode[], head: OutlineHead): string {
  if (head.screen === 'off') return `frame ${head.frame} · screen off\n`;
  const lines: Line[] = [];
  for (const node of nodes) collect(node, 0, [], lines);
  const shown = lines.filter(({ role }) => role !== '').length;
  const facts = [`frame ${head.frame}`, head.app === undefined ? undefined : plain(head.app), head.orientation];
  const counted = `${shown} of ${head.nodeCount} nodes`;
  const without = head.missing && head.missing.length > 0 ? `without ${head.missing.join(', ')}` : undefined;
  const first = [...facts, counted, without].filter((fact) => fact !== undefined).join(' · ');
  return bounded([first, ...joined(repeated(lines))]);
}

function collect(node: UiNode, depth: number, said: readonly string[], lines: Line[]): void {
  if (node.system) return;
  const { role, name, ref, children = [], offScreen } = node;
  if (role === 'keyboard') {
    const keys = children.length;
    lines.push({ depth, words: `keyboard, ${keys} keys`, role, ref, isLeaf: true });
    return;
  }
  const isShown = isTold(node, said);
  const within = isShown ? depth + 1 : depth;
  if (isShown) lines.push({ depth, words: wordsOf(node), role, ref, isLeaf: children.length === 0 && !offScreen });
  const inside = isShown && name !== undefined ? [...said, name] : said;
  if (offScreen && offScreen.before > 0) lines.push(note(within, `… ${offScreen.before} more before`));
  for (const child of children) collect(child, within, inside, lines);
  if (offScreen && offScreen.after > 0) {
    const names = offScreen.names.map(quoted).join(', ');
    lines.push(note(within, `… ${offScreen.after} more after${names === '' ? '' : `: ${names}`}`));
  }
}

const note = (depth: number, words: string): Line => ({ depth, words, role: '', ref: undefined, isLeaf: false });

/** Whether an element has a line of its own. */
function isTold({ role, name, value, ref, children = [] }: UiNode, said: readonly string[]): boolean {
  if (role === 'app') return false;
  if (ref !== undefined && role !== 'list') return true;
  if (name === undefined && value === undefined) return false;
  if (WRAPPERS.has(role) && children.length > 0 && value === undefined) return false;
  return value !== undefined || ref !== undefined || name === undefined || !said.includes(name);
}

function wordsOf({ role, name, value, checked, disabled, selected, focused, secure }: UiNode): string {
  const words: string[] = [role];
  if (name !== undefined) words.push(quoted(name));
  if (checked !== undefined) words.push(checked ? 'on' : 'off');
  if (value !== undefined) words.push(`= ${quoted(shortened(value))}`);
  const flags = { disabled, selected, focused, secure };
  for (const [flag, is] of Object.entries(flags)) if (is) words.push(flag);
  return words.join(' ');
}

/** Lines that are equal stand once: `text "–" ×4`, or with the first and the last ref. */
function repeated(lines: readonly Line[]): readonly Line[] {
  const out: Line[] = [];
  for (let from = 0; from < lines.length; ) {
    const line = lines[from] as Line;
    let to = from + 1;
    while (to < lines.length && line.isLeaf && isSame(line, lines[to] as Line)) to++;
    const count = to - from;
    const last = lines[to - 1]?.ref;
    const refs = line.ref === undefined ? '' : ` ${line.ref}–${last}`;
    out.push(count === 1 ? line : { ...line, words: `${line.words} ×${count}${refs}`, ref: undefined });
    from = to;
  }
  return out;
}

const isSame = (a: Line, b: Line): boolean =>
  b.isLeaf && a.words === b.words && a.depth === b.depth && (a.ref === undefined) === (b.ref === undefined);

/** Short elements of one kind that stand beside each other share a line. */
function joined(lines: readonly Line[]): string[] {
  const out: string[] = [];
  let before: Line | undefined;
  for (const line of lines) {
    const text = line.ref === undefined ? line.words : `${line.words} ${line.ref}`;
    const last = out.length - 1;
    const shares = before?.isLeaf && line.isLeaf && SHORT.has(line.role) && before.role === line.role;
    const longer = `${out[last]} · ${text}`;
    if (shares && before?.depth === line.depth && longer.length <= LINE_MAX) out[last] = longer;
    else out.push(`${'  '.repeat(Math.min(line.depth, 20))}${text}`);
    before = line;
  }
  return out;
}

function bounded(lines: readonly string[]): string {
  let bytes = 0;
  let kept = 0;
  for (const line of lines) {
    bytes += Buffer.byteLength(line) + 1;
    if (bytes > LIMITS.uiOutlineBytes - LAST_LINE_BYTES) break;
    kept++;
  }
  const text = `${lines.slice(0, kept).join('\n')}\n`;
  const left = lines.length - kept;
  return left === 0 ? text : `${text}… ${left} lines left out: ask for the format json, or scroll to them\n`;
}

/** In quotes, with everything in it that is not a plain character escaped, so that no text passes for a line of the outline. */
export const quoted = (text: string): string => JSON.stringify(text);

const shortened = (text: string): string =>
  text.length <= VALUE_MAX ? text : `${text.slice(0, VALUE_MAX).replace(/\p{Cs}/gu, '')}…`;

/** A name without quotes in the first line. */
const plain = (name: string): string => name.replaceAll(/[\s·]+/g, ' ').slice(0, 60);
