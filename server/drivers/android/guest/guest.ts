import { statSync } from 'node:fs';
import type { FieldsOf } from '@runcloud/protocol';
import type { InstallableApp } from '../../../device/app-package.ts';
import { DeviceFault } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import { withFileBytes } from '../adb/file-bytes.ts';
import type { GuestShell } from '../adb/guest-shell.ts';
import {
  foregroundPackage,
  installFailure,
  isPackageName,
  queriedComponents,
  resolvedComponent,
  startOutcome,
} from './texts.ts';

/** Large apps on slow disks. */
const INSTALL_MS_MAX = 100_000;
const VIEW = 'android.intent.action.VIEW';
const MAIN = 'android.intent.action.MAIN';
const BROWSABLE = 'android.intent.category.BROWSABLE';
const LAUNCHER = 'android.intent.category.LAUNCHER';
const HOME = 'android.intent.category.HOME';
/** FLAG_ACTIVITY_NEW_TASK and FLAG_ACTIVITY_RESET_TASK_IF_NEEDED, as the launcher starts apps. */
const LAUNCH_FLAGS = '0x10200000';

const IME_SETTING = ['secure', 'show_ime_with_hard_keyboard'] as const;

/** The system and its apps, used through the device's own commands. Rejects with `DeviceFault`s. */
export class Guest {
  readonly #shell: GuestShell;

  constructor(shell: GuestShell) {
    this.#shell = shell;
  }

  /** The package in front. */
  async foreground(signal?: AbortSignal): Promise<string> {
    const options = signal ? { signal } : {};
    for (const what of ['displays', 'windows']) {
      const { output } = await this.#shell.run(['dumpsys', 'window', what], options);
      const found = foregroundPackage(output);
      if (found !== undefined) return found;
    }
    throw new DeviceFault('failed', 'No app is in front.');
  }

  /** Ends the app in front and starts it anew; tells which it was. */
  async reload(signal: AbortSignal): Promise<string> {
    const name = await this.foreground(signal);
    const component = await this.#launcherOf(name, signal);
    await this.#shell.must(['am', 'force-stop', name], { signal });
    // An app without an icon is the home screen itself or a part of the system: go to the home screen.
    const target = component === undefined ? ['-c', HOME] : ['-n', component, '-c', LAUNCHER];
    await this.#start(['-a', MAIN, ...target, '-f', LAUNCH_FLAGS], signal);
    return name;
  }

  /**
   * Brings an app to the front, by its icon's activity or by the one that takes the URL. With arguments, which are extras of the
   * intent, one that runs is ended first.
   */
  async launch(
    name: string,
    { arguments: given, url }: Pick<FieldsOf<'launchApp'>, 'arguments' | 'url'>,
    signal: AbortSignal,
  ): Promise<void> {
    const extras = Object.entries(given).flatMap(([key, value]) => ['--es', key, value]);
    const anew = extras.length > 0 ? ['-S'] : [];
    if (url !== undefined) {
      await this.#start([...anew, '-a', VIEW, '-c', BROWSABLE, '-d', url, '-p', name, ...extras], signal);
      return;
    }
    const component = await this.#launcherOf(name, signal);
    if (component === undefined) throw new DeviceFault('failed', `The app ${name} has no icon to be started by.`);
    await this.#start([...anew, '-a', MAIN, '-n', component, '-c', LAUNCHER, '-f', LAUNCH_FLAGS, ...extras], signal);
  }

  /** True when a package is an app with an icon, and not a part of the system such as the home screen. */
  async isApp(name: string): Promise<boolean> {
    return isPackageName(name) && (await this.#launcherOf(name)) !== undefined;
  }

  async #launcherOf(name: string, signal?: AbortSignal): Promise<string | undefined> {
    const query = ['cmd', 'package', 'resolve-activity', '--brief', '-c', LAUNCHER, name];
    return resolvedComponent((await this.#shell.run(query, signal ? { signal } : {})).output);
  }

  /** Hands a URL over; tells the package that took it. `unhandled` when there is none. */
  async openUrl(url: string, signal: AbortSignal): Promise<string> {
    const intent = ['-a', VIEW, '-c', BROWSABLE, '-d', url];
    const query = ['cmd', 'package', 'query-activities', '--brief', ...intent];
    const { output } = await this.#shell.run(query, { signal });
    const [first] = queriedComponents(output);
    if (first === undefined && /no activities found/i.test(output)) throw unhandled();
    const handler = await this.#start(intent, signal);
    const known = handler ?? first?.split('/', 1)[0];
    if (known === undefined) throw new DeviceFault('nonsense', 'The device does not say which app took the URL.');
    return known;
  }

  /** Tells the app in front that memory is short. */
  async warnOfMemory(signal: AbortSignal): Promise<void> {
    const name = await this.foreground(signal);
    const { exitCode, output } = await this.#shell.run(['am', 'send-trim-memory', name, 'RUNNING_CRITICAL'], {
      signal,
    });
    // The app was warned of the same before, and knows.
    if (/unable to set a higher trim level than current/i.test(output)) return;
    if (exitCode !== 0 || /error|exception/i.test(output)) {
      throw new DeviceFault('failed', `The app was not warned: ${plainLine(output)}`);
    }
  }

  /** Shows the soft keyboard beside the hardware one, or puts it away, whichever it is not. */
  async toggleKeyboard(signal: AbortSignal): Promise<void> {
    const shown = await this.#keyboardShown(signal);
    await this.#shell.must(['settings', 'put', ...IME_SETTING, shown ? '0' : '1'], { signal });
    // Escape is for the keyboard alone while it is shown, and for the app when it is not.
    if (shown && (await this.#keyboardShown(signal))) await this.#shell.must(['input', 'keyevent', '111'], { signal });
  }

  async #keyboardShown(signal: AbortSignal): Promise<boolean> {
    const { output } = await this.#shell.run(['dumpsys', 'input_method'], { signal });
    return /mIsInputViewShown=true/.test(output);
  }

  /** Installs an app, in the place of an older one of the same name. */
  async install({ app, file }: InstallableApp, signal?: AbortSignal): Promise<void> {
    const bytes = statSync(file).size;
    const words = ['cmd', 'package', 'install', '-r', '-t', '-g', '-S', String(bytes)];
    const { output } = await withFileBytes(file, (input) =>
      this.#shell.run(words, { input, timeoutMs: INSTALL_MS_MAX, ...(signal ? { signal } : {}) }),
    );
    const failure = installFailure(output);
    if (failure === undefined) return;
    throw new DeviceFault('failed', `${plainLine(app.identifier)} cannot be installed: ${plainLine(failure)}`);
  }

  /** Removes an app; idempotent. */
  async uninstall(name: string): Promise<void> {
    if (isPackageName(name)) await this.#shell.run(['pm', 'uninstall', name]);
  }

  /** Ends an app and forgets everything that it has stored. */
  async clear(name: string): Promise<void> {
    if (isPackageName(name)) await this.#shell.run(['pm', 'clear', name]);
  }

  async #start(words: readonly string[], signal: AbortSignal): Promise<string | undefined> {
    const { exitCode, output } = await this.#shell.run(['am', 'start', '-W', ...words], { signal });
    const outcome = startOutcome(output);
    if (outcome.kind === 'unresolved') throw unhandled();
    if (outcome.kind === 'refused')
      throw new DeviceFault('failed', `The app did not start: ${plainLine(outcome.line)}`);
    if (exitCode !== 0) throw new DeviceFault('failed', `The app did not start: ${plainLine(output)}`);
    return outcome.handler;
  }
}

const unhandled = () => new DeviceFault('unhandled', 'No installed app opens this URL.');
