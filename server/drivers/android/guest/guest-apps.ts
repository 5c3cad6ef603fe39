import type { FieldsOf, ResultOf } from '@runcloud/protocol';
import { LIMITS } from '@runcloud/protocol/terms';
import type { AppPackage, InstallableApp } from '../../../device/app-package.ts';
import { DeviceFault } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import type { Guest } from './guest.ts';
import { setGuestPermission } from './guest-permissions.ts';
import { isPackageName, listedPackages, packageOf, queriedComponents, runningPackages } from './texts.ts';

type DeviceApp = ResultOf<'listApps'>['apps'][number];

const LAUNCHABLE = ['-a', 'android.intent.action.MAIN', '-c', 'android.intent.category.LAUNCHER'];

/**
 * The apps of a device, by its own commands: those with an icon, and those that were installed besides. Rejects with
 * `DeviceFault`s.
 */
export class GuestApps {
  readonly #shell: GuestShell;
  readonly #guest: Guest;
  /** Packages that were there before the session, which has to leave them there. */
  readonly #before: ReadonlySet<string>;
  /** What is known of the apps that the session has brought. */
  readonly #brought: Map<string, AppPackage>;

  constructor(shell: GuestShell, guest: Guest, before: ReadonlySet<string>, brought: readonly AppPackage[]) {
    this.#shell = shell;
    this.#guest = guest;
    this.#before = before;
    this.#brought = new Map(brought.map((app) => [app.identifier, app]));
  }

  async list(signal: AbortSignal): Promise<ResultOf<'listApps'>> {
    const installed = await this.#installed(signal);
    const launchable = await this.#launchable(signal);
    const running = await this.#running(signal);
    const front = await this.#front(signal);
    const names = [...new Set([...installed, ...launchable])].sort();
    const { appsListed } = LIMITS;
    const apps = names.slice(0, appsListed).map((app): DeviceApp => {
      const { name, version } = this.#brought.get(app) ?? {};
      return {
        app,
        ...(name ? { name } : {}),
        ...(version ? { version } : {}),
        kind: installed.has(app) ? 'user' : 'system',
        state: app === front ? 'front' : running.has(app) ? 'running' : 'stopped',
      };
    });
    return { apps, ...(names.length > appsListed ? { truncated: true } : {}) };
  }

  async launch({ app, ...options }: FieldsOf<'launchApp'>, signal: AbortSignal): Promise<ResultOf<'launchApp'>> {
    await this.#mustBeThere(app, signal);
    await this.#guest.launch(app, options, signal);
    return { app, state: await this.#stateOf(app, signal) };
  }

  async terminate(app: string, signal: AbortSignal): Promise<ResultOf<'terminateApp'>> {
    await this.#mustBeThere(app, signal);
    await this.#shell.must(['am', 'force-stop', app], { signal });
    return { app, state: await this.#stateOf(app, signal) };
  }

  async clear(app: string, signal: AbortSignal): Promise<ResultOf<'clearAppData'>> {
    await this.#mustBeThere(app, signal);
    const { output } = await this.#shell.run(['pm', 'clear', app], { signal });
    if (/^Success\b/m.test(output)) return { app };
    throw new DeviceFault('failed', `The data of ${app} was not deleted: ${plainLine(output)}`);
  }

  /** @param begin called before anything of the app is on the device, with its name */
  async install(
    installable: InstallableApp,
    signal: AbortSignal,
    begin: (name: string) => Promise<void>,
  ): Promise<ResultOf<'installApp'>> {
    const { identifier } = installable.app;
    // Nothing could bring the older one back at the end of the session.
    if (this.#before.has(identifier)) {
      throw new DeviceFault(
        'failed',
        `The app ${identifier} was on the device before the session, and stays as it is.`,
      );
    }
    await begin(identifier);
    await this.#guest.install(installable, signal);
    if (!(await this.#installed(signal)).has(identifier)) {
      throw new DeviceFault('failed', `The device took ${identifier}, and does not list it.`);
    }
    this.#brought.set(identifier, installable.app);
    const { name, version } = installable.app;
    const told = { ...(name ? { name } : {}), ...(version ? { version } : {}) };
    return { app: identifier, ...told, kind: 'user', state: await this.#stateOf(identifier, signal) };
  }

  async uninstall(app: string, signal: AbortSignal): Promise<ResultOf<'uninstallApp'>> {
    await this.#mustBeThere(app, signal);
    if (this.#before.has(app) || !(await this.#installed(signal)).has(app)) {
      throw new DeviceFault('failed', `The app ${app} was on the device before the session, and stays.`);
    }
    const { output } = await this.#shell.run(['pm', 'uninstall', app], { signal });
    if (/^Success\b/m.test(output) && !(await this.#installed(signal)).has(app)) return { app };
    throw new DeviceFault('failed', `The app ${app} was not removed: ${plainLine(output)}`);
  }

  async setPermission(
    { app, permission, access }: FieldsOf<'setPermission'>,
    signal: AbortSignal,
  ): Promise<ResultOf<'setPermission'>> {
    // With an app that goes with the session, what was decided of it goes too.
    if (!(await this.isBrought(app, signal))) {
      throw new DeviceFault(
        'failed',
        `The app ${app} was on the device before the session, and keeps its permissions.`,
      );
    }
    const state = await setGuestPermission(this.#shell, app, permission, access, signal);
    return { app, permission, state, readBack: true };
  }

  /** Whether an app goes with the session; rejects for one that is not there. */
  async isBrought(app: string, signal: AbortSignal): Promise<boolean> {
    await this.#mustBeThere(app, signal);
    return !this.#before.has(app) && (await this.#installed(signal)).has(app);
  }

  async #mustBeThere(app: string, signal: AbortSignal): Promise<void> {
    if (isPackageName(app)) {
      if ((await this.#installed(signal)).has(app)) return;
      if ((await this.#launchable(signal)).has(app)) return;
    }
    throw new DeviceFault('missing', `No app of the device has the package name "${app}".`);
  }

  async #stateOf(app: string, signal: AbortSignal): Promise<DeviceApp['state']> {
    if ((await this.#front(signal)) === app) return 'front';
    return (await this.#running(signal)).has(app) ? 'running' : 'stopped';
  }

  async #installed(signal: AbortSignal): Promise<ReadonlySet<string>> {
    return new Set(listedPackages(await this.#shell.must(['pm', 'list', 'packages', '-3'], { signal })));
  }

  async #launchable(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const words = ['cmd', 'package', 'query-activities', '--brief', ...LAUNCHABLE];
    const { output } = await this.#shell.run(words, { signal });
    return new Set(queriedComponents(output).flatMap((component) => packageOf(component) ?? []));
  }

  async #running(signal: AbortSignal): Promise<ReadonlySet<string>> {
    return runningPackages(await this.#shell.must(['ps', '-A', '-o', 'NAME'], { signal }));
  }

  /** `undefined` where no app is in front. */
  async #front(signal: AbortSignal): Promise<string | undefined> {
    try {
      return await this.#guest.foreground(signal);
    } catch (error) {
      if (error instanceof DeviceFault && error.kind === 'failed') return undefined;
      throw error;
    }
  }
}
