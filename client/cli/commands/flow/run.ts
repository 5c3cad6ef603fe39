import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FlowFaults } from '../../../flow/fault.ts';
import { findFlows, isTagged } from '../../../flow/find-flows.ts';
import { junitOf } from '../../../flow/junit.ts';
import { OutputFolder } from '../../../flow/output-folder.ts';
import { type Flow, readFlow } from '../../../flow/read-flow.ts';
import { type FlowResult, runFlow } from '../../../flow/run-flow.ts';
import type { SessionHandle } from '../../../sdk/session.ts';
import type { Cli, SessionOptions } from '../../cli.ts';
import { CommandFailure, EXIT, invalidRequest, toFailure } from '../../failure.ts';
import { failureLines, flowJson, flowLine, groupLine, stepJson, stepLines } from '../../flow-lines.ts';
import { type Define, sessionLeaf } from '../../leaf.ts';
import { toList, toMs, toPairs } from '../../parse.ts';
import { done } from '../../terminal/line.ts';

interface Options extends SessionOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly includeTags?: readonly string[];
  readonly excludeTags?: readonly string[];
  readonly junit?: string;
  readonly output: string;
  readonly record?: true;
  readonly wait: number;
}

const EXAMPLES = [
  'flow run checkout.yaml',
  'flow run flows --include-tags smoke --junit results.xml',
  'flow run login.yaml --env USER=ada --output results --record',
];

/** Variables of this program's environment that flows have without being given them. */
const GIVEN = /^MAESTRO_/;
const WAIT_MS = { min: 0, max: 60_000, default: 10_000 } as const;

export const define: Define = (command, cli) =>
  sessionLeaf(command, EXAMPLES)
    .argument('<path...>', 'files of flows, or folders with them')
    .option('-e, --env <name=value>', 'a variable of the flows; can be repeated', toPairs)
    .option('--include-tags <tags>', 'only flows with one of these tags', toList)
    .option('--exclude-tags <tags>', 'no flows with one of these tags', toList)
    .option('--junit <file>', 'write the results as JUnit XML')
    .option('-o, --output <folder>', 'the folder of screenshots, and of what is kept of a failure', 'flow-output')
    .option('--record', 'record each flow, and keep the recording of one that fails')
    .option('--wait <time>', 'how long an element is waited for, 0 to 60s', toMs, WAIT_MS.default)
    .action((paths: readonly string[], options: Options) => run(cli, paths, options));

async function run(cli: Cli, paths: readonly string[], options: Options): Promise<void> {
  const { interrupt: signal } = cli.io;
  const { wait: waitMs } = options;
  if (!(waitMs >= WAIT_MS.min && waitMs <= WAIT_MS.max)) throw invalidRequest('"--wait" must be 0 to 60s.');
  const session = await cli.session(options);
  const flows = await readAll(cli, paths, session, options);
  await canBeRun(session, signal);
  const results: FlowResult[] = [];
  for (const [index, flow] of flows.entries()) {
    const output = new OutputFolder(options.output).below(folderOf(flow, index, flows));
    results.push(
      await runOne(cli, flow, { session, output, signal, waitMs, records: options.record ?? false }, options),
    );
  }
  if (options.junit !== undefined) {
    await mkdir(dirname(options.junit), { recursive: true });
    await writeFile(options.junit, junitOf(results, session.platform));
  }
  const failed = results.filter(({ status }) => status === 'failed').length;
  const passed = results.length - failed;
  const summary = `${passed} of ${results.length} flows passed`;
  if (options.json) cli.out.json({ passed, failed });
  else cli.out.lines([cli.isForPerson(options) && failed === 0 ? done(summary) : summary]);
  // Each failure was already printed.
  if (failed > 0) throw new CommandFailure({}, EXIT.failed);
}

/** Nothing is sent before all flows are known to be right. */
async function readAll(
  cli: Cli,
  paths: readonly string[],
  { platform }: SessionHandle,
  { env = {}, includeTags = [], excludeTags = [] }: Options,
): Promise<readonly Flow[]> {
  const given = Object.entries(cli.io.env).filter(([name, value]) => GIVEN.test(name) && value !== undefined);
  const variables = { ...(Object.fromEntries(given) as Record<string, string>), ...env };
  const files = await findFlows(paths).catch((error: Error) => {
    throw invalidRequest(`${error.message}.`);
  });
  const flows: Flow[] = [];
  const faults: FlowFaults[] = [];
  for (const file of files) {
    try {
      flows.push(await readFlow(file, { platform, variables }));
    } catch (error) {
      if (!(error instanceof FlowFaults)) throw error;
      faults.push(error);
    }
  }
  const all = faults.flatMap((one) => one.faults);
  if (all.length > 0) throw unreadable(cli, all);
  const chosen = flows.filter(({ tags }) => isTagged(tags, includeTags, excludeTags));
  if (chosen.length === 0)
    throw invalidRequest(files.length === 0 ? 'There are no flows there.' : 'No flow has such tags.');
  return chosen;
}

/** Every fault has a line of its own for people, and is an object for programs. */
function unreadable(cli: Cli, faults: FlowFaults['faults']): CommandFailure {
  const told = faults.map(({ place, message }) => ({ ...place, message }));
  const [first = { file: '', line: 1, column: 1, message: '' }, ...rest] = told;
  const sentence = ({ file, line, column, message }: typeof first) => `${file}:${line}:${column}: ${message}`;
  if (cli.out.isErrorTerminal) cli.out.asideLines(rest.map(sentence));
  const error = { code: 'invalid_request', message: sentence(first), retryable: false };
  return new CommandFailure({ ok: false, status: 'failed', error, faults: told }, EXIT.invalid);
}

/** Whether there is a device that tells what is on its screen. */
async function canBeRun(session: SessionHandle, signal: AbortSignal): Promise<void> {
  try {
    await session.ui({ signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const { envelope, origin } = toFailure(error, signal);
    throw new CommandFailure(envelope, EXIT.invalid, origin ? { origin } : {});
  }
}

/** Flows of different folders may have one name. */
function folderOf({ name }: Flow, index: number, flows: readonly Flow[]): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replace(/^[.-]+/, '') || 'flow';
  const isAlone = flows.filter((flow) => flow.name === name).length === 1;
  return isAlone ? safe : `${safe}-${index + 1}`;
}

type How = Omit<Parameters<typeof runFlow>[1], 'onGroup' | 'onStep'>;

async function runOne(cli: Cli, flow: Flow, how: How, options: Options): Promise<FlowResult> {
  const isForPerson = cli.isForPerson(options);
  const result = await runFlow(flow, {
    ...how,
    onGroup: (step, depth) => {
      if (!options.json) cli.out.lines([groupLine(step, depth, isForPerson)]);
    },
    onStep: (told) => {
      if (options.json) cli.out.json(stepJson(flow, told));
      else if (!told.isGroup) cli.out.lines(stepLines(told, isForPerson));
    },
  });
  if (options.json) cli.out.json(flowJson(result));
  else cli.out.lines([...failureLines(result), flowLine(result, isForPerson)]);
  return result;
}
