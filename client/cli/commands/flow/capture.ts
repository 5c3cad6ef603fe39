import { type Captured, type CaptureOptions, capture, screenOf } from '../../../flow/capture.ts';
import type { Session } from '../../../sdk/index.ts';
import type { HistoryEntry } from '../../../sdk/types.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { invalidRequest } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { isStandardOutput, OutputFile } from '../../output-file.ts';
import { entriesFrom } from '../../read-history.ts';
import { done } from '../../terminal/line.ts';

interface Options extends OutputOptions {
  readonly output: string;
  readonly force?: true;
  readonly live?: true;
  readonly name?: string;
}

const EXAMPLES = [
  'session create ios --history-elements --history-texts full',
  'flow capture ses_... -o checkout.yaml',
  'flow capture ses_... --live -o checkout.yaml',
  'flow capture history.ndjson',
];

/** The end of a session is not waited for. */
const END_MS = 5_000;
const SESSION = /^ses_[\w-]+$/;

export const define: Define = (command, cli) =>
  leaf(command, EXAMPLES)
    .argument('[from]', 'a session (default: the last one), or a file that "history --json" wrote; - is standard input')
    .option('-o, --output <file>', 'output file; - is standard output', '-')
    .option('-f, --force', 'overwrite an existing file')
    .option('--live', 'what is done from now on, until Ctrl-C or the end of the session')
    .option('--name <name>', 'what the flow is called')
    .action((from: string | undefined, options: Options) => run(cli, from, options));

async function run(cli: Cli, from: string | undefined, options: Options): Promise<void> {
  const { interrupt: signal } = cli.io;
  const { output, force, live = false, name } = options;
  const id = from ?? (cli.io.env.RUNCLOUD_SESSION || undefined) ?? (await cli.lastSession.read())?.id;
  if (id === undefined) throw invalidRequest('There is no session yet: name one, or a file with its history.');
  if (live && !SESSION.test(id)) throw invalidRequest('"--live" is for a session.');
  // The file is written after an interrupt too, which ends a live capture.
  const writing = live ? new AbortController().signal : signal;
  const file = isStandardOutput(output) ? undefined : await OutputFile.at(output, { force, signal: writing });
  const session = SESSION.test(id) ? await cli.cloud.sessions.get(id, { signal }) : undefined;
  const entries = session
    ? await entriesOf(session, live, signal, () => tellLive(cli, options))
    : await all(await entriesFrom(cli, id));
  const end = session && (await endOf(session));
  const yaml = await import('yaml');
  const made = capture(entries, {
    yaml,
    name: name ?? `Captured from ${id === '-' ? 'a history' : id}`,
    ...(end ? { end } : {}),
  });
  const bytes = new TextEncoder().encode(made.text);
  if (file) await file.write([bytes]);
  else await cli.out.bytes([bytes]);
  tell(cli, options, made, file?.path ?? '-');
}

const tellLive = (cli: Cli, options: Options): void =>
  options.json
    ? cli.out.asideJson({ event: 'capturing' })
    : cli.out.asideLines(['What is done now becomes the flow. End with Ctrl-C.']);

async function entriesOf(
  session: Session,
  live: boolean,
  signal: AbortSignal,
  onLive: () => void,
): Promise<readonly HistoryEntry[]> {
  if (!live) return all(session.history({ signal }));
  const before = await all(session.history({ signal }));
  onLive();
  const entries: HistoryEntry[] = [];
  const last = (): number => (entries.at(-1) ?? before.at(-1))?.seq ?? 0;
  try {
    for await (const entry of session.history({ after: last(), follow: true, signal })) entries.push(entry);
  } catch (error) {
    if (!signal.aborted) throw error;
    // Ctrl-C is the normal end of it; what was done since the last look belongs to it.
    entries.push(...(await all(session.history({ after: last(), signal: AbortSignal.timeout(END_MS) }))));
  }
  return entries;
}

async function all(entries: AsyncIterable<HistoryEntry>): Promise<readonly HistoryEntry[]> {
  const list: HistoryEntry[] = [];
  for await (const entry of entries) list.push(entry);
  return list;
}

/** What is on the screen now, where the session still has one. */
async function endOf(session: Session): Promise<CaptureOptions['end'] | undefined> {
  try {
    const { app, nodes } = await session.ui({ signal: AbortSignal.timeout(END_MS) });
    return screenOf(app, nodes);
  } catch {
    return undefined;
  }
}

function tell(cli: Cli, options: Options, { inputs, byName, byPlace, leftOut, texts }: Captured, path: string): void {
  const result = { ok: true, path, inputs, byName, byPlace, leftOut, texts };
  const more = [
    ...(byPlace > 0 ? [`${byPlace} by coordinates: the comments in it say why.`] : []),
    ...leftOut.map((sentence) => `Left out: ${sentence}.`),
    ...(texts.length > 0
      ? [
          `Texts that the history does not keep: give them with --env ${texts.map((one) => `${one}=...`).join(' --env ')}.`,
        ]
      : []),
  ];
  const sentence = `${path}: a flow of ${inputs} inputs, ${byName} by name`;
  if (path === '-') cli.printAside(options, result, [sentence, ...more]);
  else
    cli.print(options, result, [sentence, ...more], () => [
      done(`Saved ${path}: ${inputs} inputs, ${byName} by name.`),
      ...more,
    ]);
}
