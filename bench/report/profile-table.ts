import { type Column, formatTable } from './table.ts';

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

/** A CPU profile as V8 writes it (`.cpuprofile`; Chrome DevTools Protocol, `Profiler.Profile`), times in microseconds. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

interface HeapNode {
  readonly callFrame: CallFrame;
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

/** A profile of allocations (`.heapprofile`; `HeapProfiler.SamplingHeapProfile`), sizes in bytes. */
export interface HeapProfile {
  readonly head: HeapNode;
}

/** A function's own time or memory, without that of the functions that it calls. */
export interface FunctionShare {
  readonly name: string;
  readonly where: string;
  readonly amount: number;
  readonly share: number;
}

export interface ProfileSum {
  readonly amount: number;
  /** Largest amount first. */
  readonly functions: readonly FunctionShare[];
}

/** V8's names for time in which a thread ran no code. */
const REST = new Set(['(idle)', '(root)']);
const FUNCTIONS_MAX = 16;

/** Busy time in microseconds, by function. */
export function cpuOf({ nodes, samples, timeDeltas }: CpuProfile): ProfileSum {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const sums = new Sums();
  samples.forEach((id, index) => {
    const frame = frames.get(id);
    if (frame && !REST.has(frame.functionName)) sums.add(frame, timeDeltas[index] ?? 0);
  });
  return sums.sorted();
}

/** Allocated bytes, by function. */
export function allocationsOf({ head }: HeapProfile): ProfileSum {
  const sums = new Sums();
  const open = [head];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.selfSize > 0) sums.add(node.callFrame, node.selfSize);
    open.push(...node.children);
  }
  return sums.sorted();
}

class Sums {
  readonly #amounts = new Map<string, { readonly name: string; readonly where: string; amount: number }>();
  #amount = 0;

  add({ functionName, url }: CallFrame, amount: number): void {
    const name = functionName || '(anonymous)';
    const where = placeOf(url);
    const key = `${name} ${where}`;
    const known = this.#amounts.get(key) ?? { name, where, amount: 0 };
    known.amount += amount;
    this.#amounts.set(key, known);
    this.#amount += amount;
  }

  sorted(): ProfileSum {
    const functions = [...this.#amounts.values()]
      .map((each) => ({ ...each, share: each.amount / this.#amount }))
      .sort((one, other) => other.amount - one.amount);
    return { amount: this.#amount, functions };
  }
}

/** The last two parts of a file's path, which are enough to find it. */
function placeOf(url: string): string {
  return url.replace(/\?.*$/, '').split('/').slice(-2).join('/');
}

const COLUMNS: readonly Column<FunctionShare>[] = [
  { title: 'function', text: ({ name }) => name },
  { title: 'in', text: ({ where }) => where, words: true },
  { title: '%', text: ({ share }) => (share * 100).toFixed(1) },
];

/** A title and the functions with the largest shares. */
export function formatProfile(title: string, { functions }: ProfileSum): string {
  return `${title}\n\n${formatTable(COLUMNS, functions.slice(0, FUNCTIONS_MAX))}`;
}
