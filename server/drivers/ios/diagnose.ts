import type { Finding } from '@runcloud/protocol';
import type { ToolEnvironment } from '../../device/target.ts';
import { findProgram } from '../process/find-program.ts';
import { plainLine } from '../process/plain-line.ts';
import { runTool } from '../process/run-tool.ts';
import { Devicectl } from './devicectl.ts';
import { HELPER_REMEDY, HELPERS, helperPath } from './find-helper.ts';
import { Simctl } from './simctl.ts';
import { newestRuntime, type SimulatorList } from './simulator-list.ts';

const ASK_MS_MAX = 10_000;
/** Enough to see how they are written. */
const EXAMPLES_MAX = 4;

const XCODE_FIX = 'install Xcode, then `sudo xcode-select --switch /Applications/Xcode.app`';

/**
 * Reports the simulators and tools of this Mac, and those that are missing. Systems that have no simulators get one
 * line.
 */
export async function diagnoseIos(tools: ToolEnvironment, os: NodeJS.Platform): Promise<Finding[]> {
  if (os !== 'darwin') return [{ what: 'iOS Simulators', state: 'unavailable', detail: 'they run on macOS alone' }];
  const xcrun = findProgram('xcrun', tools, ['/usr/bin']);
  const simctl = xcrun === undefined ? undefined : await pathOf(xcrun, 'simctl', tools);
  if (xcrun === undefined || simctl === undefined) {
    const detail = 'Xcode is not there, or not chosen';
    return [{ what: 'simctl', state: 'missing', detail, fix: XCODE_FIX }, ...diagnoseHelpers(tools)];
  }
  return [
    { what: 'simctl', state: 'ready', detail: simctl },
    ...(await diagnoseRuntimes(xcrun, tools)),
    await diagnoseDevicectl(xcrun, tools),
    ...diagnoseHelpers(tools),
  ];
}

async function pathOf(xcrun: string, program: string, tools: ToolEnvironment): Promise<string | undefined> {
  const found = await runTool(xcrun, ['-f', program], { tools, timeoutMs: ASK_MS_MAX }).catch(() => undefined);
  return found?.exitCode === 0 ? plainLine(found.stdout.toString()) : undefined;
}

async function diagnoseRuntimes(xcrun: string, tools: ToolEnvironment): Promise<Finding[]> {
  const what = 'iOS runtimes';
  let list: SimulatorList;
  try {
    list = await new Simctl(xcrun, tools).list();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return [{ what, state: 'missing', detail, fix: XCODE_FIX }];
  }
  const versions = list.runtimes.filter(({ available }) => available).map(({ version }) => version);
  if (versions.length === 0) {
    return [{ what, state: 'missing', detail: 'there is none', fix: 'xcodebuild -downloadPlatform iOS' }];
  }
  const types = list.deviceTypes.filter(({ identifier }) => newestRuntime(list, identifier) !== undefined);
  const names = types.slice(-EXAMPLES_MAX).map(({ name }) => name);
  return [
    { what, state: 'ready', detail: versions.join(', ') },
    {
      what: 'Device types',
      state: 'ready',
      detail: `${types.length}, such as ${names.join(', ')}: ios-simulator:<name>`,
    },
  ];
}

async function diagnoseDevicectl(xcrun: string, tools: ToolEnvironment): Promise<Finding> {
  const found = await Devicectl.find(xcrun, tools).catch(() => undefined);
  return found
    ? { what: 'devicectl', state: 'ready', detail: 'turns simulators, and tells what came of it' }
    : { what: 'devicectl', state: 'unavailable', detail: 'too old to turn simulators; the helper does that' };
}

/** One of them is enough. */
function diagnoseHelpers(tools: ToolEnvironment): Finding[] {
  const found = HELPERS.flatMap((name) => {
    const path = helperPath(name, tools);
    return path === undefined ? [] : [{ name, path }];
  });
  const what = 'Helper for simulators';
  const [first, second] = found;
  if (!first) return [{ what, state: 'missing', detail: 'no such program', fix: HELPER_REMEDY }];
  const detail = second ? `${first.path} (before ${second.path})` : first.path;
  return [{ what, state: 'ready', detail }];
}
