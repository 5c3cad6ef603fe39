import type { Client } from '../../../client/sdk/client.ts';
import { RunCloudError } from '../../../client/sdk/error.ts';
import type { Session } from '../../../client/sdk/sessions.ts';
import { capabilitiesOf, type Wanted, wanted } from '../capabilities.ts';
import { type Command, DELETE, GET, POST, type SessionCommand } from '../command.ts';
import { WebDriverFailure } from '../failure.ts';

/** Goes before the id of a session that WebDriver has not created, and so does not end. */
const ATTACHED = 'attached-';

const status: Command = {
  method: 'GET',
  path: 'status',
  run: () => ({ ready: true, message: 'RunCloud takes new sessions.' }),
};

const newSession: Command = {
  method: 'POST',
  path: 'session',
  async run({ cloud, fields, signal }) {
    const asked = wanted(fields);
    try {
      const session = await opened(cloud, asked, signal);
      const sessionId = asked.session === undefined ? session.id : `${ATTACHED}${session.id}`;
      return { sessionId, capabilities: capabilitiesOf(session.record) };
    } catch (error) {
      if (!(error instanceof RunCloudError)) throw error;
      const next = error.suggestedAction === undefined ? '' : ` ${error.suggestedAction}`;
      throw new WebDriverFailure('session not created', `${error.code}: ${error.detail}${next}`);
    }
  },
};

async function opened(cloud: Client, { session: id, request, app }: Wanted, signal: AbortSignal): Promise<Session> {
  const session = request
    ? await cloud.sessions.create(request, { signal })
    : await cloud.sessions.get(id ?? '', { signal });
  if (app === undefined) return session;
  try {
    await session.launchApp(app, { signal });
  } catch (error) {
    // Nobody knows its id.
    if (request) await session.delete();
    throw error;
  }
  return session;
}

export const STATIC_COMMANDS: readonly Command[] = [status, newSession];

/** The service's id of a session that the path of a command names. */
export const serviceId = (sessionId: string): string =>
  sessionId.startsWith(ATTACHED) ? sessionId.slice(ATTACHED.length) : sessionId;

/** W3C WebDriver, section 9: the largest integer that is safe. */
const TIMEOUT_MAX_MS = Number.MAX_SAFE_INTEGER;

export const SESSION_COMMANDS: readonly SessionCommand[] = [
  GET('', ({ session }) => capabilitiesOf(session.record)),
  DELETE('', async ({ params, session, timeouts, signal }) => {
    timeouts.forget(session.id);
    if (params.session === session.id) await session.delete({ signal });
  }),
  GET('appium/capabilities', ({ session }) => ({ capabilities: capabilitiesOf(session.record) })),
  GET('timeouts', ({ session, timeouts }) => timeouts.of(session.id)),
  POST('timeouts', ({ session, fields, timeouts }) => {
    const read = (name: string) => fields.maybe(name, (at) => at.number(name, 0, TIMEOUT_MAX_MS));
    const [implicit, script, pageLoad] = [read('implicit'), read('script'), read('pageLoad')];
    timeouts.set(session.id, {
      ...(implicit === undefined ? {} : { implicit }),
      ...(script === undefined ? {} : { script }),
      ...(pageLoad === undefined ? {} : { pageLoad }),
    });
  }),
  // A phone has one context: what is on its screen. Apps' web pages are part of it.
  GET('context', () => 'NATIVE_APP'),
  GET('contexts', () => ['NATIVE_APP']),
  POST('context', ({ fields }) => {
    const name = fields.text('name');
    if (name === 'NATIVE_APP') return;
    throw new WebDriverFailure('no such context', `There is the context NATIVE_APP, and no ${JSON.stringify(name)}.`);
  }),
  GET('appium/settings', () => ({})),
  POST('appium/settings', () => {
    throw new WebDriverFailure('unsupported operation', 'There are no settings of a driver.');
  }),
];
