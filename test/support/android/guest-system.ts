import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Picture } from '../../../server/device/driver.ts';
import { type QuarterTurns, uprightSize } from '../../../server/drivers/android/guest/orientation.ts';
import { BUILT_IN_APPS } from '../../../server/phone/apps/catalogue.ts';
import type { DeviceFiles } from './adb-files.ts';
import { AppPermissions } from './app-permissions.ts';
import { dumpDisplays, SEVERAL_DISPLAYS } from './fold-displays.ts';
import type { CommandAnswer } from './guest-commands.ts';
import { GuestFileSystem } from './guest-file-system.ts';
import { answerInput, type InputManners } from './guest-input.ts';
import { DENSITY, type GuestPhone } from './guest-phone.ts';
import { Logd } from './logcat.ts';
import { MediaProvider } from './media-provider.ts';
import { packageNameIn } from './package-name.ts';
import { ScrcpyStandIn } from './scrcpy-stand-in.ts';
import { uiDump } from './ui-automator.ts';

/** Package names of the phone's own apps; `home` is the launcher. */
const nameOf = (app: string) => `com.standin.${app.replaceAll('-', '_')}`;
const APP_OF: ReadonlyMap<string, string> = new Map(
  ['home', 'switcher', ...BUILT_IN_APPS.map(({ id }) => id)].map((id) => [nameOf(id), id]),
);

/** A reset takes a second or two, and longer on a busy machine. */
const TRIES_MAX = 900;
const PAUSE_MS = 50;

const ok = (out = ''): CommandAnswer => ({ out });

/** The effects and outputs of the guest's commands, as in Android 14 or in the release that a test requests. */
export class GuestSystem {
  readonly guest: GuestPhone;
  readonly model: string;
  readonly disk = new GuestFileSystem();
  /** Its files by path. */
  readonly files: DeviceFiles = this.disk.files;
  readonly scrcpy: ScrcpyStandIn;
  /** Its night mode, as its command says it. */
  night = 'no';
  readonly settings = new Map<string, string>([['system accelerometer_rotation', '0']]);
  /** Installed by users. */
  readonly packages = new Set<string>(['com.person.app']);
  readonly permissions = new AppPermissions();
  readonly cleared: string[] = [];
  /** Apps that were started by name, with their extras. */
  readonly launched: { readonly name: string; readonly extras: readonly (readonly [string, string])[] }[] = [];
  /** Every command with its words. */
  readonly log: (readonly string[])[] = [];
  /** Replaces answers, for faults. */
  override: ((words: readonly string[]) => CommandAnswer | Promise<CommandAnswer | undefined> | undefined) | undefined;
  booted = true;
  readonly manners: InputManners = { old: false, forbidden: false };

  readonly media: MediaProvider;
  readonly logd = new Logd();

  constructor(guest: GuestPhone, model: string) {
    this.guest = guest;
    guest.phone.log.follow(({ type, detail }) => {
      this.logd.write({
        tag: 'ActivityTaskManager',
        text: `${type} ${JSON.stringify(detail ?? {})}`,
        buffer: 'system',
      });
    });
    this.media = new MediaProvider(this.files, guest);
    this.model = model;
    for (const name of this.packages) this.disk.installed(name);
    this.scrcpy = new ScrcpyStandIn(guest, this.files);
  }

  readonly answer = async (words: readonly string[], stdin: Uint8Array, gone: AbortSignal): Promise<CommandAnswer> => {
    this.log.push(words);
    const other = await this.override?.(words);
    if (other) return other;
    const [name = '', ...rest] = words;
    switch (name) {
      case 'getprop':
        return ok(`${this.#property(rest[0])}\n`);
      case 'wm':
        return ok(rest[0] === 'size' ? `Physical size: ${this.#glass}\n` : `Physical density: ${DENSITY}\n`);
      case 'settings':
        return this.#settings(rest);
      case 'dumpsys':
        return ok(this.#dump(rest));
      case 'ps':
        return ok(this.#processes());
      case 'pm':
        return this.#packages(rest);
      case 'cmd':
        return this.#cmd(rest, stdin);
      case 'am':
        if (rest[0] === 'broadcast') await this.media.scan(rest.at(-1) ?? '');
        return rest[0] === 'broadcast' ? ok('Broadcast completed: result=0\n') : this.#activity(rest);
      case 'input':
        return answerInput(this.guest.phone, rest, this.manners);
      case 'getevent':
        return ok(await this.guest.nextKernelEvent());
      case 'screencap':
        return this.#screencap(rest);
      case 'logcat':
        return this.logd.answer(rest, gone);
      case 'date':
        return ok(rest[0] === '+%s.%N' ? `${(Date.now() / 1_000).toFixed(3)}000000\n` : '');
      case 'app_process':
        return this.scrcpy.run(rest, gone);
      case 'uiautomator':
        return this.#dumpUi(rest);
      case 'content':
        return ok(this.media.answer(rest));
      case 'run-as':
        return this.disk.runAs(rest, stdin, this.packages);
      default:
        return this.disk.answer(words, stdin) ?? { code: 127 };
    }
  };

  get #glass(): string {
    const { width, height } = this.guest.glass;
    return `${width}x${height}`;
  }

  get #front(): string {
    return nameOf(this.guest.phone.inspect().foreground);
  }

  #property(name: string | undefined): string {
    if (name === 'sys.boot_completed') return this.booted ? '1' : '';
    return name === 'ro.product.model' ? this.model : name === 'ro.build.version.release' ? '14' : '';
  }

  /** Resolves when the note of a session is gone: that is the last of what a reset takes back. */
  async reset(): Promise<void> {
    for (let tries = 0; this.settings.has('global runcloud_session'); tries++) {
      if (tries === TRIES_MAX) throw new Error('the device is not reset');
      await sleep(PAUSE_MS);
    }
  }

  #settings([verb, space = '', name = '', value = '']: readonly string[]): CommandAnswer {
    const key = `${space} ${name}`;
    if (verb === 'get') return ok(`${this.settings.get(key) ?? 'null'}\n`);
    if (verb === 'delete') this.settings.delete(key);
    else this.settings.set(key, value);
    if (key === 'system font_scale') this.guest.phone.settings.setTextScale(Number(this.settings.get(key) ?? 1));
    // Each of the three moves something of its own; the phone has one switch for all.
    if (name.endsWith('_scale') && space === 'global') {
      const scales = ['window_animation', 'transition_animation', 'animator_duration'];
      const isOn = (scale: string) => Number(this.settings.get(`global ${scale}_scale`) ?? 1) > 0;
      this.guest.phone.settings.setAnimations(scales.some(isOn));
    }
    const { keyboardShown } = this.guest.phone.inspect();
    if (name === 'show_ime_with_hard_keyboard' && verb === 'put' && value === '1' && !keyboardShown) {
      this.guest.phone.toggleSoftwareKeyboard(0);
    }
    return ok();
  }

  #dump([what, part]: readonly string[]): string {
    const { keyboardShown, screen } = this.guest.phone.inspect();
    if (what === 'power') return `  mWakefulness=${screen === 'on' ? 'Awake' : 'Asleep'}\n`;
    if (what === 'input_method') return `  mInputShown=${keyboardShown}\n  mIsInputViewShown=${keyboardShown}\n`;
    if (what === 'display') return dumpDisplays(this.guest.displays, this.guest.phone.display, DENSITY);
    if (what === 'package') return this.permissions.dump(part ?? '');
    if (what !== 'window' || part !== 'displays') return '';
    const { width, height } = uprightSize(this.guest.glass, this.guest.scheduler as QuarterTurns);
    return [
      '  Display: mDisplayId=0 (organized)',
      `    init=${this.#glass} ${DENSITY}dpi cur=${width}x${height} app=${width}x${height} rng=540x460-1200x1120`,
      `    mCurrentRotation=ROTATION_${this.guest.scheduler * 90}`,
      `  mCurrentFocus=Window{1a2b3c u0 ${this.#front}/${this.#front}.Main}`,
      `  mFocusedApp=ActivityRecord{4d5e6f u0 ${this.#front}/.Main t7}`,
      '',
    ].join('\n');
  }

  #packages([verb = '', ...rest]: readonly string[]): CommandAnswer {
    const decided = this.permissions.answer(verb, rest);
    if (decided) return decided;
    if (verb === 'list') return ok([...this.packages].map((name) => `package:${name}\n`).join(''));
    const name = rest.at(-1) ?? '';
    if (verb === 'clear' && !APP_OF.has(name) && !this.packages.has(name)) return { code: 1, out: 'Failed\n' };
    if (verb === 'clear') {
      this.cleared.push(name);
      this.disk.removed(name);
      this.disk.installed(name);
      this.permissions.reset(name);
      this.guest.phone.closeApp(APP_OF.get(name) ?? name);
    }
    if (verb === 'uninstall' && !this.packages.delete(name))
      return { code: 1, out: 'Failure [DELETE_FAILED_INTERNAL_ERROR]\n' };
    if (verb === 'uninstall') {
      this.permissions.removed(name);
      this.disk.removed(name);
    }
    return ok('Success\n');
  }

  /** The system's own processes are among them, and a service of an app in a process of its own. */
  #processes(): string {
    const running = this.guest.phone.apps.list().filter(({ state }) => state !== 'stopped');
    const names = running.flatMap(({ app }) => [nameOf(app), `${nameOf(app)}:service`]);
    return ['NAME', 'init', 'system_server', '[kworker/0:1]', nameOf('home'), ...names, ''].join('\n');
  }

  #cmd([service, verb, ...rest]: readonly string[], stdin: Uint8Array): CommandAnswer {
    const word = `${service} ${verb}`;
    if (word === 'window user-rotation') {
      this.guest.turnTo(Number(rest[1]));
      return ok();
    }
    if (word === 'uimode night') {
      const [mode] = rest;
      if (mode !== undefined && !['yes', 'no', 'auto'].includes(mode)) {
        return { code: 255, out: "Error: mode must be 'yes', 'no', or 'auto'\n" };
      }
      this.night = mode ?? this.night;
      if (mode !== undefined) this.guest.phone.settings.setAppearance(mode === 'yes' ? 'dark' : 'light');
      return ok(`Night mode: ${this.night}\n`);
    }
    if (word === 'connectivity airplane-mode') {
      const [mode] = rest;
      if (mode === undefined) return ok(this.guest.phone.settings.network === 'offline' ? 'enabled\n' : 'disabled\n');
      if (mode !== 'enable' && mode !== 'disable') return { code: 255, out: 'Unknown command\n' };
      this.guest.phone.settings.setNetwork(mode === 'enable' ? 'offline' : 'online');
      return ok();
    }
    if (word === 'package install') {
      if (Number(rest[rest.indexOf('-S') + 1]) !== stdin.length)
        return ok('Failure [INSTALL_PARSE_FAILED_NOT_APK: short]\n');
      const name = packageNameIn(Buffer.from(stdin)) ?? `com.installed.app${this.packages.size}`;
      this.packages.add(name);
      this.permissions.installed(name, rest.includes('-g'));
      this.disk.installed(name);
      return ok('Success\n');
    }
    if (word === 'package resolve-activity') {
      const name = rest.at(-1) ?? '';
      return ok(APP_OF.has(name) && name !== nameOf('home') ? `priority=0\n${name}/.Main\n` : 'No activity found\n');
    }
    if (word !== 'package query-activities') return { code: 255, out: 'Unknown command\n' };
    if (rest.includes('android.intent.category.LAUNCHER')) {
      const components = BUILT_IN_APPS.map(({ id }) => `    ${nameOf(id)}/.Main\n`);
      return ok(`${components.length} activities found:\n  Activity #0:\n    priority=0\n${components.join('')}`);
    }
    const url = rest[rest.indexOf('-d') + 1] ?? '';
    if (!/^https?:/i.test(url)) return ok('No activities found\n');
    return ok(`1 activities found:\n  Activity #0:\n    priority=0 match=0x208000\n    ${nameOf('browser')}/.Main\n`);
  }

  #activity([verb, ...rest]: readonly string[]): CommandAnswer {
    const after = (option: string) => (rest.includes(option) ? rest[rest.indexOf(option) + 1] : undefined);
    if (verb === 'force-stop') {
      const app = APP_OF.get(rest[0] ?? '');
      if (app && this.guest.phone.apps.stateOf(app) !== 'stopped') this.guest.phone.closeApp(app);
      return ok();
    }
    if (verb === 'send-trim-memory') {
      if (rest[0] !== this.#front) return { code: 255, out: 'Unknown error: failed to set trim level\n' };
      this.guest.phone.simulateMemoryWarning(0);
      return ok();
    }
    if (verb !== 'start') return { code: 255 };
    const url = after('-d');
    const started = (name: string) =>
      ok(
        `Starting: Intent { act=x${url === undefined ? '' : ` dat=${url}`} }\nStatus: ok\nLaunchState: COLD\nActivity: ${name}/.Main\nTotalTime: 9\nWaitTime: 9\nComplete\n`,
      );
    const target = after('-p');
    if (url !== undefined && target !== undefined && (target !== nameOf('browser') || !/^https?:/i.test(url))) {
      return { code: 1, out: 'Error: Activity not started, unable to resolve Intent { act=x }\n' };
    }
    if (url !== undefined) {
      try {
        return started(nameOf(this.guest.phone.openUrl(url, 0)));
      } catch {
        return { code: 1, out: 'Error: Activity not started, unable to resolve Intent { act=x }\n' };
      }
    }
    const name = after('-n')?.split('/')[0] ?? nameOf('home');
    const app = APP_OF.get(name);
    if (name === nameOf('home')) this.#press('home');
    else if (app === undefined) return { code: 1, out: 'Error: Activity class does not exist.\n' };
    else {
      const extras = rest.flatMap((word, at) =>
        word === '--es' ? [[rest[at + 1] ?? '', rest[at + 2] ?? ''] as const] : [],
      );
      this.launched.push({ name, extras });
      if (rest.includes('-S')) this.guest.phone.closeApp(app);
      this.guest.phone.launchApp({ app, arguments: {} }, 0);
      const [, reason] = extras.find(([extra]) => extra === 'crash') ?? [];
      if (reason !== undefined) {
        this.logd.crash(name, reason);
        this.guest.phone.closeApp(app);
      }
    }
    return started(name);
  }

  #dumpUi([verb, path = '/sdcard/window_dump.xml']: readonly string[]): CommandAnswer {
    if (verb !== 'dump') return { code: 255 };
    const { phone, glass, scheduler } = this.guest;
    const size = uprightSize(glass, scheduler as QuarterTurns);
    this.files.set(path, Buffer.from(uiDump(phone.describe(), this.#front, scheduler, size)));
    // The word is spelled so by the tool itself.
    return ok(`UI hierchary dumped to: ${path}\n`);
  }

  #press(button: 'home' | 'power'): void {
    this.guest.phone.buttonDown(button, 0);
    this.guest.phone.buttonUp(button, 0);
  }

  async #screencap(options: readonly string[]): Promise<CommandAnswer> {
    const { phone, displays } = this.guest;
    const asked = options.includes('-d') ? options[options.indexOf('-d') + 1] : undefined;
    const shown = asked ?? displays[0]?.name;
    const picture = shown === undefined ? phone.render() : phone.viewOf(shown)?.render();
    if (!picture) return { code: 1, out: `Display Id '${asked}' is not valid.\n` };
    const warning = asked === undefined && displays.length > 1 ? SEVERAL_DISPLAYS : '';
    const { pixels, width, height } = picture;
    const out = options.includes('-p') ? await pngOf(picture) : Buffer.concat([headOf(width, height), pixels]);
    return { out: Buffer.concat([Buffer.from(warning), out]) };
  }
}

function headOf(width: number, height: number): Buffer {
  const head = Buffer.alloc(16);
  for (const [index, value] of [width, height, 1, 1].entries()) head.writeUInt32LE(value, index * 4);
  return head;
}

const pngOf = ({ pixels, width, height }: Picture): Promise<Buffer> =>
  sharp(Buffer.from(pixels), { raw: { width, height, channels: 4 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
