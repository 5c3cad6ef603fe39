import { LIMITS } from '@runcloud/protocol/terms';
import { POST, type SessionCall, type SessionCommand } from '../command.ts';
import { WebDriverFailure } from '../failure.ts';
import type { Fields } from '../fields.ts';

/** Appium's states of an app. */
const STATES = { none: 0, stopped: 1, running: 3, front: 4 } as const;

/** An app is named by `appId` or `bundleId`, and by `appPackage` in extensions. */
const NAMES = ['appId', 'bundleId', 'appPackage'] as const;

const appOf = (fields: Fields): string => fields.text(NAMES.find((name) => fields.has(name)) ?? 'appId');

async function stateOf({ session, signal }: SessionCall, app: string): Promise<keyof typeof STATES> {
  const { apps } = (await session.listApps({ signal })).result;
  return apps.find((known) => known.app === app)?.state ?? 'none';
}

export async function launched({ session, fields, signal }: SessionCall): Promise<void> {
  await session.launchApp(appOf(fields), { signal });
}

/** Resolves with whether it ran. */
export async function terminated(call: SessionCall): Promise<boolean> {
  const app = appOf(call.fields);
  const state = await stateOf(call, app);
  if (state !== 'none' && state !== 'stopped') await call.session.terminateApp(app, { signal: call.signal });
  return STATES[state] > STATES.stopped;
}

/** An app is an uploaded one: files and addresses of others are not fetched. */
export async function installed({ session, fields, signal }: SessionCall): Promise<void> {
  const asset = fields.text(fields.has('appPath') ? 'appPath' : 'app');
  if (!/^ast_[A-Za-z0-9]{1,60}$/.test(asset)) {
    throw new WebDriverFailure(
      'invalid argument',
      'Upload the app, and give its id, such as "ast_4kZ1bQx7RmT9vLs2WcHn0e".',
    );
  }
  await session.installApp(asset, { timeoutMs: LIMITS.interactionTimeoutMs.max, signal });
}

export async function removed(call: SessionCall): Promise<boolean> {
  const app = appOf(call.fields);
  if ((await stateOf(call, app)) === 'none') return false;
  await call.session.uninstallApp(app, { signal: call.signal });
  return true;
}

export const isInstalled = async (call: SessionCall): Promise<boolean> =>
  (await stateOf(call, appOf(call.fields))) !== 'none';

export const appState = async (call: SessionCall): Promise<number> => STATES[await stateOf(call, appOf(call.fields))];

export async function cleared({ session, fields, signal }: SessionCall): Promise<void> {
  await session.clearAppData(appOf(fields), { signal });
}

const DEVICE = 'appium/device';

export const APP_COMMANDS: readonly SessionCommand[] = [
  POST(`${DEVICE}/activate_app`, launched),
  POST(`${DEVICE}/terminate_app`, terminated),
  POST(`${DEVICE}/app_state`, appState),
  POST(`${DEVICE}/app_installed`, isInstalled),
  POST(`${DEVICE}/remove_app`, removed),
  POST(`${DEVICE}/install_app`, installed),
  POST(`${DEVICE}/get_clipboard`, async ({ session, signal }) => {
    const { text } = await session.clipboard.read({ signal });
    return Buffer.from(text).toString('base64');
  }),
  POST(`${DEVICE}/set_clipboard`, async ({ session, fields, signal }) => {
    await session.clipboard.write(Buffer.from(fields.text('content'), 'base64').toString(), { signal });
  }),
];
