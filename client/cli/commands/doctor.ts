import { findingLines } from '../../../protocol/finding-lines.ts';
import { RunCloudError } from '../../sdk/error.ts';
import type { Account, Finding } from '../../sdk/types.ts';
import type { Cli, OutputOptions } from '../cli.ts';
import { type Define, leaf } from '../leaf.ts';
import { bold, CROSS, dim, type Line, type Span, TICK, yellow } from '../terminal/line.ts';
import { padded, widthOf, wrapped } from '../terminal/width.ts';
import { visible } from '../visible.ts';

/** The host's paths and programs are shown only to the operator. */
const ON_THE_HOST = 'Only the account "local" may check the host. On the host itself, use "npm run admin -- doctor".';

export const define: Define = (command, cli) =>
  leaf(command, ['doctor', 'doctor --json']).action(async (options: OutputOptions) => {
    const signal = cli.io.interrupt;
    const account = await cli.cloud.account.get({ signal });
    const findings = await findingsOf(cli, signal);
    const { baseUrl } = cli;
    const all = [...service(baseUrl, account), ...(findings ?? [])];
    const note = findings ? [] : ['', ON_THE_HOST];
    cli.print(
      options,
      { baseUrl, account, ...(findings && { findings }) },
      [...linesOf(all), ...note],
      ({ columns }) => [...all.flatMap((finding) => shownTo(columns, widest(all), finding)), ...note],
    );
  });

/** `undefined` for an account that may not check the host. */
async function findingsOf(cli: Cli, signal: AbortSignal): Promise<readonly Finding[] | undefined> {
  try {
    return (await cli.cloud.doctor({ signal })).findings;
  } catch (error) {
    if (error instanceof RunCloudError && error.code === 'not_found') return undefined;
    throw error;
  }
}

const service = (baseUrl: string, { name, id }: Account): readonly Finding[] => [
  { what: 'Service', state: 'ready', detail: baseUrl },
  { what: 'Account', state: 'ready', detail: `${name} (${id})` },
];

/** The lines are split again, so no field may bring its own. */
const linesOf = (findings: readonly Finding[]): string[] => findingLines(findings.map(safe)).trimEnd().split('\n');

const safe = ({ what, state, detail, fix }: Finding): Finding => ({
  what: visible(what),
  state: visible(state) as Finding['state'],
  detail: visible(detail),
  ...(fix === undefined ? {} : { fix: visible(fix) }),
});

const SIGNS: Readonly<Record<string, Span>> = { ready: TICK, missing: CROSS };

/** A finding behind its sign, in as many lines as it takes, and below it how to mend what is missing. */
function shownTo(columns: number, width: number, finding: Finding): Line[] {
  const { what, state, detail, fix } = safe(finding);
  // A sign, the name, and a gap of two behind each.
  const indent = ' '.repeat(width + 4);
  const [first = '', ...rest] = wrapped(detail, columns - indent.length);
  const mended = fix === undefined ? [] : wrapped(fix, columns - indent.length);
  const isHere = state !== 'unavailable';
  const inTone = (text: string): Span => (isHere ? text : dim(text));
  return [
    [SIGNS[state] ?? dim('–'), ' ', (isHere ? bold : dim)(padded(what, width + 2)), inTone(first)],
    ...rest.map((line): Line => [indent, inTone(line)]),
    ...mended.map((line): Line => [indent, yellow(line)]),
  ];
}

const widest = (findings: readonly Finding[]): number =>
  Math.max(...findings.map(({ what }) => widthOf(visible(what))));
