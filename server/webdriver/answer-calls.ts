import type { WebDriverCall } from '../rest/web-driver.ts';
import type { Answer } from '../translation/translator-side.ts';
import type { Command, CommandCall, SessionCall, SessionCommand } from './command.ts';
import { ALERT_COMMANDS } from './commands/alerts.ts';
import { APP_COMMANDS } from './commands/apps.ts';
import { ELEMENT_COMMANDS } from './commands/elements.ts';
import { EXTENSION_COMMANDS } from './commands/extensions.ts';
import { INPUT_COMMANDS } from './commands/inputs.ts';
import { SCREEN_COMMANDS } from './commands/screen.ts';
import { SESSION_COMMANDS, STATIC_COMMANDS, serviceId } from './commands/sessions.ts';
import { failed, succeeded, WebDriverFailure } from './failure.ts';
import { Fields } from './fields.ts';
import { Timeouts } from './timeouts.ts';

/** All commands of sessions, those with fewer parameters before those that take a segment as one. */
const OF_SESSIONS: readonly SessionCommand[] = [
  ...SESSION_COMMANDS,
  ...ELEMENT_COMMANDS,
  ...INPUT_COMMANDS,
  ...SCREEN_COMMANDS,
  ...APP_COMMANDS,
  ...ALERT_COMMANDS,
  ...EXTENSION_COMMANDS,
];

/** Finds the session that the path names before the command runs. */
const within = ({ method, path, run }: SessionCommand): Command => ({
  method,
  path: path === '' ? 'session/{session}' : `session/{session}/${path}`,
  async run(call: CommandCall) {
    const session = await call.cloud.sessions.get(serviceId(call.params.session ?? ''), { signal: call.signal });
    return run({ ...call, session } satisfies SessionCall);
  },
});

interface Compiled {
  readonly command: Command;
  readonly pattern: RegExp;
}

const COMMANDS: readonly Compiled[] = [...STATIC_COMMANDS, ...OF_SESSIONS.map(within)].map((command) => ({
  command,
  pattern: new RegExp(`^${command.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
}));

/** Answers commands of WebDriver. It keeps the timeouts of sessions from one command to the next, and nothing else. */
export function answerCalls(): Answer<WebDriverCall> {
  const timeouts = new Timeouts();
  return async ({ method, command: path, body }, cloud, signal) => {
    try {
      const { command, params } = matching(method, path);
      return succeeded(await command.run({ cloud, signal, params, fields: new Fields(body), timeouts }));
    } catch (error) {
      if (signal.aborted) throw error;
      return failed(error);
    }
  };
}

function matching(method: string, path: string) {
  const fitting = COMMANDS.flatMap(({ command, pattern }) => {
    const found = pattern.exec(path);
    return found ? [{ command, params: decoded(found.groups) }] : [];
  });
  const found = fitting.find(({ command }) => command.method === method);
  if (found) return found;
  if (fitting.length === 0)
    throw new WebDriverFailure('unknown command', `There is no command ${JSON.stringify(path)}.`);
  throw new WebDriverFailure('unknown method', `${JSON.stringify(path)} is no command by ${method}.`);
}

function decoded(groups: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  try {
    return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    throw new WebDriverFailure('invalid argument', 'The path has an escape that is none.');
  }
}
