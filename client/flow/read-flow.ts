import { readFile } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import type { LineCounter } from 'yaml';
import type { Platform } from '../sdk/types.ts';
import { COMMANDS, REFUSED } from './commands/index.ts';
import { FlowFault, FlowFaults } from './fault.ts';
import { didYouMean } from './nearest.ts';
import type { Scope, Step } from './step.ts';
import { Value, type Yaml } from './value.ts';
import type { Variables } from './variables.ts';

const FILE_BYTES_MAX = 1_048_576;
/** Flows within flows. */
const DEPTH_MAX = 20;
const HEADER = [
  'appId',
  'name',
  'tags',
  'env',
  'onFlowStart',
  'onFlowComplete',
  'properties',
  'jsEngine',
  'androidWebViewHierarchy',
] as const;
const HEADER_REFUSED = {
  url: 'flows are for apps',
  initFlow: 'it is an older form; use "onFlowStart"',
  ext: 'nothing is known of it',
};

export interface Flow {
  /** As it is told to people. */
  readonly file: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly properties: Readonly<Record<string, string>>;
  readonly onStart: readonly Step[];
  readonly steps: readonly Step[];
  readonly onComplete: readonly Step[];
}

export interface ReadOptions {
  readonly platform: Platform;
  /** Of the caller; they take precedence over those of files. */
  readonly variables: Variables;
}

/** The texts of all files that flows consist of, by path. */
export type Texts = ReadonlyMap<string, string>;

/** Reads a flow with the files that it names. Throws `FlowFaults` with everything that is wrong in it. */
export async function readFlow(path: string, options: ReadOptions): Promise<Flow> {
  const yaml = await import('yaml');
  const faults: FlowFault[] = [];
  const texts = new Map<string, string>();
  // Files are named within files, by texts that may have variables: reading ends when no further file is asked for.
  for (;;) {
    faults.length = 0;
    const reader = new Reader(yaml, options, texts, faults);
    const flow = reader.flow(resolve(path));
    if (reader.wanted.size === 0) {
      if (faults.length > 0 || !flow) throw new FlowFaults(faults);
      return flow;
    }
    for (const [wanted, by] of reader.wanted) texts.set(wanted, await textOf(wanted, by));
  }
}

async function textOf(path: string, by: Value | undefined): Promise<string> {
  const place = by?.place ?? { file: shown(path), line: 1, column: 1 };
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new FlowFaults([new FlowFault(place, `${shown(path)} cannot be read: ${error.message}.`)]);
  });
  if (bytes.length > FILE_BYTES_MAX)
    throw new FlowFaults([new FlowFault(place, `${shown(path)} is larger than 1 MiB.`)]);
  return bytes.toString('utf8');
}

const shown = (path: string): string => {
  const within = relative(process.cwd(), path);
  return within.startsWith('..') ? path : within;
};

/** A file in two parts; the first is absent in a file that is a list alone. */
interface Parts {
  readonly header: Value | undefined;
  readonly commands: Value;
}

class Reader {
  /** Files that are needed and not there yet, with what names them. */
  readonly wanted = new Map<string, Value | undefined>();
  readonly #yaml: Yaml;
  readonly #options: ReadOptions;
  readonly #texts: Texts;
  readonly #faults: FlowFault[];

  constructor(yaml: Yaml, options: ReadOptions, texts: Texts, faults: FlowFault[]) {
    this.#yaml = yaml;
    this.#options = options;
    this.#texts = texts;
    this.#faults = faults;
  }

  flow(path: string): Flow | undefined {
    const read = this.#parts(path, undefined, { MAESTRO_FILENAME: nameOf(path) });
    if (!read) return undefined;
    const { header, commands, variables } = read;
    const fields = this.#caught(() => header?.record('the head of a flow', HEADER, HEADER_REFUSED)) ?? {};
    const appId = this.#caught(() => fields.appId?.text());
    const of = (list: Value | undefined) => (list ? this.#steps(list, { path, stack: [path], variables, appId }) : []);
    const texts = (value: Value | undefined) => [...(value?.entries('texts by name') ?? [])];
    return {
      file: shown(path),
      name: this.#caught(() => fields.name?.text()) ?? nameOf(path),
      tags: this.#caught(() => fields.tags?.list('tags').map((tag) => tag.text())) ?? [],
      properties: Object.fromEntries(
        this.#caught(() => texts(fields.properties).map(([name, value]) => [name, value.text()])) ?? [],
      ),
      onStart: of(fields.onFlowStart),
      steps: of(commands),
      onComplete: of(fields.onFlowComplete),
    };
  }

  /** What it reads; a fault is kept for later, so that all are told at once. */
  #caught<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof FlowFault)) throw error;
      this.#faults.push(error);
      return undefined;
    }
  }

  /** @param given variables that take precedence over those of the file */
  #parts(
    path: string,
    by: Value | undefined,
    given: Variables,
  ): (Parts & { readonly variables: Variables }) | undefined {
    const text = this.#texts.get(path);
    if (text === undefined) {
      this.wanted.set(path, by);
      return undefined;
    }
    return this.#caught(() => {
      const above = { ...given, ...this.#options.variables };
      const { header, commands } = partsOf(this.#yaml, text, shown(path), above);
      const env = header?.isRecord ? header.entries('the head of a flow').get('env') : undefined;
      const variables: Record<string, string> = { ...above };
      // A variable of a file may be made of those above it.
      for (const [name, value] of env?.isAbsent === false ? env.entries('variables by name') : []) {
        if (!Object.hasOwn(above, name)) variables[name] = value.isAbsent ? '' : value.with(variables).text();
      }
      return { header: header?.with(variables), commands: commands.with(variables), variables };
    });
  }

  #steps(list: Value, around: Around): readonly Step[] {
    const items = this.#caught(() => list.with(around.variables).list('commands')) ?? [];
    return items.flatMap((item) => this.#caught(() => this.#step(item, around)) ?? []);
  }

  #step(item: Value, around: Around): Step {
    const [command, value] = commandOf(item);
    const read = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
    if (!read) {
      const reason = Object.hasOwn(REFUSED, command) ? REFUSED[command] : undefined;
      if (reason !== undefined) throw item.fault(`"${command}" is not supported: ${reason}.`);
      throw item.fault(`There is no command "${command}".${didYouMean(command, Object.keys(COMMANDS))}`);
    }
    const common = value.isRecord ? value.entries('a command') : undefined;
    const label = common?.get('label');
    const isOptional = common?.get('optional')?.flag() ?? false;
    const deed = read(value, this.#scope(around));
    return { ...deed, place: item.place, command, isOptional, ...(label?.isScalar ? { label: label.text() } : {}) };
  }

  #scope(around: Around): Scope {
    const { path, stack, variables, appId } = around;
    // What the caller has given stays in force.
    const over = (more: Variables): Variables => ({ ...more, ...this.#options.variables });
    return {
      platform: this.#options.platform,
      appId,
      variables,
      steps: (list, more = {}) => this.#steps(list, { ...around, variables: { ...variables, ...over(more) } }),
      file: (name, more = {}) => {
        const other = resolve(dirname(path), name.text('the path of a flow'));
        if (stack.includes(other)) throw name.fault(`${shown(other)} runs itself.`);
        if (stack.length >= DEPTH_MAX) throw name.fault(`Flows within flows are at most ${DEPTH_MAX} deep.`);
        const read = this.#parts(other, name, { ...variables, ...more });
        if (!read) return [];
        const fields = this.#caught(() => read.header?.record('the head of a flow', HEADER, HEADER_REFUSED));
        const own = this.#caught(() => fields?.appId?.text());
        const within = { path: other, stack: [...stack, other], variables: read.variables, appId: own ?? appId };
        const of = (list: Value | undefined) => (list ? this.#steps(list, within) : []);
        return [...of(fields?.onFlowStart), ...of(read.commands), ...of(fields?.onFlowComplete)];
      },
    };
  }
}

/** Where a list of commands stands. */
interface Around {
  readonly path: string;
  /** Files that are being read, the outermost first. */
  readonly stack: readonly string[];
  readonly variables: Variables;
  readonly appId: string | undefined;
}

/** `back`, or `tapOn: Save`. */
function commandOf(item: Value): readonly [string, Value] {
  if (item.isScalar) return [item.written, item.nothing()];
  const [entry, second] = [...item.entries('a command')];
  if (!entry) throw item.fault('This must be a command.');
  if (second) throw second[1].fault(`"${second[0]}" stands beside "${entry[0]}": each command is an item of its own.`);
  return entry;
}

function partsOf(yaml: Yaml, text: string, file: string, variables: Variables): Parts {
  const lines = new yaml.LineCounter();
  const documents = documentsOf(yaml, text, file, lines);
  const values = documents.map(({ contents }) => new Value(contents, { yaml, file, lines }, variables));
  const [first, second, third] = values;
  const place = first?.place ?? { file, line: 1, column: 1 };
  if (third) throw third.fault('A flow has two parts, with --- between them.');
  if (first?.isList && !second) return { header: undefined, commands: first };
  if (!first || !second)
    throw new FlowFault(place, 'A flow has a head such as "appId: ...", then ---, then a list of commands.');
  if (!first.isRecord && !first.isAbsent)
    throw first.fault('The head of a flow is a record, such as "appId: com.example".');
  return { header: first.isAbsent ? undefined : first, commands: second };
}

function documentsOf(yaml: Yaml, text: string, file: string, lineCounter: LineCounter) {
  const at = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return { file, line, column: col };
  };
  const documents = documentsIn(yaml, text, file, lineCounter);
  for (const { errors } of documents) {
    const [error] = errors;
    if (error) throw new FlowFault(at(error.pos[0]), `This is no YAML: ${error.message.split(/ at line|\n/)[0]}.`);
  }
  return documents;
}

function documentsIn(yaml: Yaml, text: string, file: string, lineCounter: LineCounter) {
  try {
    const documents = yaml.parseAllDocuments(text, { lineCounter, prettyErrors: true });
    return Array.isArray(documents) ? documents : [];
  } catch (error) {
    // Such as lists within lists without end.
    throw new FlowFault({ file, line: 1, column: 1 }, `This cannot be read: ${(error as Error).message}.`);
  }
}

const nameOf = (path: string): string => (path.split(/[\\/]/).at(-1) ?? path).replace(/\.ya?ml$/i, '');
