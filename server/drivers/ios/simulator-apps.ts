import type { FieldsOf, ResultOf } from '@runcloud/protocol';
import { LIMITS, urlParts } from '@runcloud/protocol/terms';
import type { InstallableApp, IosApp } from '../../device/app-package.ts';
import { DeviceFault } from '../../device/fault.ts';
import type { ToolEnvironment } from '../../device/target.ts';
import { urlHandler } from '../../device/url-handler.ts';
import type { InstalledBundle } from './installed-list.ts';
import type { Simctl } from './simctl.ts';
import type { Udid } from './udid.ts';
import { withUnpackedApp } from './unpack-app.ts';

type DeviceApp = ResultOf<'listApps'>['apps'][number];

const SAFARI = 'com.apple.mobilesafari';

type Commands = Pick<
  Simctl,
  'install' | 'apps' | 'running' | 'foreground' | 'launch' | 'terminate' | 'uninstall' | 'openUrl' | 'privacy' | 'push'
>;

/** The apps of one simulator, by public commands. Rejects with `DeviceFault`s. */
export class SimulatorApps {
  readonly #simctl: Commands;
  readonly #udid: Udid;
  /** The apps that the session has brought, which grow with each that it installs. */
  readonly #brought: IosApp[];

  constructor(simctl: Commands, udid: Udid, brought: IosApp[]) {
    this.#simctl = simctl;
    this.#udid = udid;
    this.#brought = brought;
  }

  async list(signal: AbortSignal): Promise<ResultOf<'listApps'>> {
    const installed = [...(await this.#simctl.apps(this.#udid, signal))];
    installed.sort((one, other) => (one.bundle < other.bundle ? -1 : 1));
    const running = await this.#simctl.running(this.#udid, signal);
    const front = await this.#simctl.foreground(this.#udid, signal);
    const { appsListed } = LIMITS;
    const apps = installed.slice(0, appsListed).map((one) => {
      const { bundle } = one;
      return told(one, bundle === front ? 'front' : running.has(bundle) ? 'running' : 'stopped');
    });
    return { apps, ...(installed.length > appsListed ? { truncated: true } : {}) };
  }

  async launch({ app, ...given }: FieldsOf<'launchApp'>, signal: AbortSignal): Promise<ResultOf<'launchApp'>> {
    await this.#find(app, signal);
    const { url } = given;
    if (url !== undefined && !this.#opens(app, url)) {
      throw new DeviceFault('unhandled', `iOS does not open this URL in ${app}.`);
    }
    const words = Object.entries(given.arguments).flatMap(([name, value]) => [`-${name}`, value]);
    await this.#simctl.launch(this.#udid, app, words, signal);
    if (url !== undefined) await this.#simctl.openUrl(this.#udid, url, signal);
    return { app, state: await this.#stateOf(app, signal) };
  }

  async terminate(app: string, signal: AbortSignal): Promise<ResultOf<'terminateApp'>> {
    await this.#find(app, signal);
    await this.#simctl.terminate(this.#udid, app, signal);
    return { app, state: await this.#stateOf(app, signal) };
  }

  async install(
    { app, file }: InstallableApp,
    tools: ToolEnvironment,
    signal: AbortSignal,
  ): Promise<ResultOf<'installApp'>> {
    if (app.platform !== 'ios') throw new DeviceFault('failed', 'Simulators run apps for iOS.');
    // Also where it is cut off: what is there then came in this session.
    const before = this.#brought.findIndex(({ identifier }) => identifier === app.identifier);
    this.#brought.splice(before < 0 ? this.#brought.length : before, before < 0 ? 0 : 1, app);
    await withUnpackedApp(file, tools, (folder) => this.#simctl.install(this.#udid, folder, signal), signal);
    return told(await this.#find(app.identifier, signal), await this.#stateOf(app.identifier, signal));
  }

  async uninstall(app: string, signal: AbortSignal): Promise<ResultOf<'uninstallApp'>> {
    await this.#find(app, signal);
    // Nothing could bring it back at the end of the session.
    if (!this.#brought.some(({ identifier }) => identifier === app)) {
      throw new DeviceFault('failed', `The app ${app} was on the device before the session, and stays.`);
    }
    await this.#simctl.uninstall(this.#udid, app, signal);
    const left = await this.#simctl.apps(this.#udid, signal);
    if (left.some(({ bundle }) => bundle === app)) throw new DeviceFault('failed', `The app ${app} was not removed.`);
    return { app };
  }

  /** The command tells nothing of what is in force, and nothing else does. */
  async setPermission(
    { app, permission, access }: FieldsOf<'setPermission'>,
    signal: AbortSignal,
  ): Promise<ResultOf<'setPermission'>> {
    // A simulator has no camera, and its command no word for notifications.
    if (permission === 'camera' || permission === 'notifications') {
      const sentence = `"permission" "${permission}" is not supported by iOS Simulators: simctl has no such service.`;
      throw new DeviceFault('unsupported', sentence);
    }
    await this.#find(app, signal);
    // With an app that goes with the session, what was decided of it goes too.
    if (!this.#brought.some(({ identifier }) => identifier === app)) {
      throw new DeviceFault(
        'failed',
        `The app ${app} was on the device before the session, and keeps its permissions.`,
      );
    }
    await this.#simctl.privacy(this.#udid, access, permission, app, signal);
    return { app, permission, readBack: false };
  }

  /** Rejects for an app that is not there. */
  async mustBeThere(app: string, signal: AbortSignal): Promise<void> {
    await this.#find(app, signal);
  }

  /** Whether a person sees it, the command does not tell. */
  async push({ app, payload }: FieldsOf<'sendPush'>, signal: AbortSignal): Promise<ResultOf<'sendPush'>> {
    await this.#find(app, signal);
    // With an app that goes with the session, its notifications go too.
    if (!this.#brought.some(({ identifier }) => identifier === app)) {
      throw new DeviceFault(
        'failed',
        `The app ${app} was on the device before the session, and gets no notifications.`,
      );
    }
    await this.#simctl.push(this.#udid, app, JSON.stringify(payload), signal);
    return { app, readBack: false };
  }

  /** iOS chooses the app of a URL itself: it is this one where its package says so. */
  #opens(app: string, url: string): boolean {
    const { scheme } = urlParts(url);
    const own = urlHandler(this.#brought, url)?.identifier;
    return app === (own ?? (scheme === 'http' || scheme === 'https' ? SAFARI : undefined));
  }

  async #stateOf(app: string, signal: AbortSignal): Promise<DeviceApp['state']> {
    if ((await this.#simctl.foreground(this.#udid, signal)) === app) return 'front';
    return (await this.#simctl.running(this.#udid, signal)).has(app) ? 'running' : 'stopped';
  }

  async #find(app: string, signal: AbortSignal): Promise<InstalledBundle> {
    const found = (await this.#simctl.apps(this.#udid, signal)).find(({ bundle }) => bundle === app);
    if (found) return found;
    throw new DeviceFault('missing', `No installed app has the bundle identifier "${app}".`);
  }
}

const told = ({ bundle, name, version, isSystem }: InstalledBundle, state: DeviceApp['state']): DeviceApp => ({
  app: bundle,
  ...(name === undefined ? {} : { name }),
  ...(version === undefined ? {} : { version }),
  kind: isSystem ? 'system' : 'user',
  state,
});
