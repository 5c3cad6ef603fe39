import {
  type Button,
  KEY_TEXT,
  type Key,
  type Modifier,
  type Orientation,
  type RenderOption,
} from '@runcloud/protocol/terms';
import type { Inspection, Picture, Point } from '../../../server/device/driver.ts';
import { VirtualPhone } from '../../../server/phone/phone.ts';
import type { SavedBrowser } from '../../../server/phone/saved-state.ts';
import { cardNonce } from '../../../server/test-card/layout.ts';
import { sharedNowMs } from '../late-timers.ts';
import { type GuestApp, GuestDisk } from './guest-disk.ts';
import { UnifiedLog } from './unified-log.ts';
import { USAGE_KEYS } from './usage-keys.ts';

export const PANEL = { width: 590, height: 1280, scale: 1.5 };

/** An input as it reached the guest, with its time on the monotonic clock. */
export interface Arrival {
  readonly atMs: number;
  readonly what: string;
  readonly detail: unknown;
}

/** A browser that has just started. */
const NEW_BROWSER: SavedBrowser = {
  history: ['about:start'],
  loads: 1,
  cardVisits: 0,
  isUnreached: false,
  isGivenUp: false,
  isLoading: false,
};

const MODIFIER_USAGES: Readonly<Record<number, Modifier>> = { 224: 'control', 225: 'shift', 226: 'alt', 227: 'meta' };

const CONTROLS: Readonly<Record<string, Button>> = {
  '12/48': 'power',
  '12/233': 'volumeUp',
  '12/234': 'volumeDown',
  '11/45': 'actionButton',
  '12/149': 'sideButton',
};

/**
 * The phone in a stand-in simulator, with pixels and apps. Its inputs are those of hardware: it converts the position of a
 * touch on the panel to the picture by itself, independently of the code under test.
 */
export class Guest {
  readonly phone = new VirtualPhone({ platform: 'ios', ...PANEL });
  readonly arrivals: Arrival[] = [];
  readonly log = new UnifiedLog();
  /** Inputs go nowhere, as with a helper for another version of Xcode. */
  deaf = false;
  /** Tells it where it is on its route. */
  moving: NodeJS.Timeout | undefined;
  readonly disk: GuestDisk;
  /** Of the system: their states, and those that were posted. */
  readonly notifications = { states: new Map<string, string>(), posted: [] as string[] };
  /** Notifications that were sent. */
  readonly pushed: { readonly bundle: string; readonly payload: unknown }[] = [];
  /** Apps that were started, with their arguments. */
  readonly launched: { readonly bundle: string; readonly words: readonly string[] }[] = [];
  /** URLs that apps were given which were installed. */
  readonly handed: string[] = [];
  readonly #modifiers: Modifier[] = [];
  #dragFrom: number | undefined;
  #shift = 0;
  #shown = '';
  #version = 0;
  #picture: Picture | undefined;

  /** @param disk what an earlier guest has left there */
  constructor(disk = new GuestDisk()) {
    this.disk = disk;
    disk.give(this.phone);
    this.phone.log.follow(({ type, detail }) => this.log.write({ text: `${type} ${JSON.stringify(detail ?? {})}` }));
  }

  get installed(): GuestApp[] {
    return this.disk.installed;
  }

  get containers(): GuestDisk['containers'] {
    return this.disk.containers;
  }

  get privacy(): GuestDisk['privacy'] {
    return this.disk.privacy;
  }

  get pasteboard(): string {
    return this.phone.clipboard;
  }

  set pasteboard(text: string) {
    this.phone.clipboard = text;
  }

  /** Everything that runs in it ends; what is on the disk stays. */
  close(): void {
    clearInterval(this.moving);
    this.disk.take(this.phone, this.#visits);
    this.log.restart();
    this.phone.close();
  }

  /** Throws a `DeviceFault` where no app of the phone takes it. */
  openUrl(url: string): void {
    this.#remindBrowser();
    this.phone.openUrl(url, 0);
  }

  /** @param points shares of the panel in portrait */
  touch(type: string, points: readonly Point[]): void {
    if (!this.#arrived('touch', { type, points })) return;
    const seen = points.map((point) => this.#seen(point));
    if (type === 'begin' || type === 'move' || type === 'end') this.phone.touch(type, seen, 0);
    const x = seen[0]?.x ?? 0;
    if (type === 'begin') this.#dragFrom = this.inspect().foreground === 'home' ? x : undefined;
    this.#shift = this.#dragFrom === undefined || type === 'end' ? 0 : Math.round((x - this.#dragFrom) * 100);
  }

  /** As when Xcode 27's Device Hub attaches: an older input service that has sent nothing yet is disconnected. */
  attachDeviceHub(): void {
    if (this.arrivals.length === 0) this.deaf = true;
  }

  key(type: string, usage: number): void {
    if (!this.#arrived('key', { type, usage })) return;
    const modifier = MODIFIER_USAGES[usage];
    if (modifier && type === 'down') this.#modifiers.push(modifier);
    if (modifier && type === 'up') this.#modifiers.splice(this.#modifiers.indexOf(modifier), 1);
    const key = USAGE_KEYS.get(usage);
    if (key === undefined) return;
    if (type === 'down' && key === 'v' && this.#modifiers.includes('meta'))
      return this.phone.insertText(this.pasteboard, 0);
    if (type === 'down') return this.phone.keyDown(key, [...this.#modifiers], 0);
    this.phone.keyUp(key, [...this.#modifiers], 0);
    this.#enter(key);
  }

  /** How many test cards the browser has shown. */
  get #visits(): number {
    const browser = this.phone.save().running.find(({ app }) => app === 'browser');
    return browser ? (browser.state as SavedBrowser).cardVisits : this.disk.visits;
  }

  /** A browser that starts knows from the disk what it has shown; the phone's own browser knows what it has shown since it runs. */
  #remindBrowser(): void {
    const saved = this.phone.save();
    if (this.disk.visits === 0 || saved.running.some(({ app }) => app === 'browser')) return;
    const photos = [...this.phone.photos.photos].reverse();
    const state = { ...NEW_BROWSER, cardVisits: this.disk.visits };
    this.phone.restore({ ...saved, running: [...saved.running, { app: 'browser', state }] });
    for (const photo of photos) this.phone.photos.add(photo);
  }

  /** UIKit gives text to whoever asked for it, besides the keys: the app and the page that tell of all inputs do. */
  #enter(key: Key): void {
    const { foreground, app } = this.inspect();
    const asks =
      foreground === 'touch-lab' || (foreground === 'browser' && cardNonce(String(app.address)) !== undefined);
    if (this.#modifiers.some((modifier) => modifier !== 'shift') || !asks) return;
    const text = KEY_TEXT.get(key)?.[this.#modifiers.length > 0 ? 1 : 0];
    if (text !== undefined) this.phone.typeText(text, 0);
  }

  control(page: number, usage: number, phase: string): void {
    if (!this.#arrived('control', { page, usage, phase })) return;
    const button = CONTROLS[`${page}/${usage}`];
    if (!button) return;
    if (phase === 'down') this.phone.buttonDown(button, 0);
    else this.phone.buttonUp(button, 0);
  }

  button(button: string): void {
    if (!this.#arrived('button', { button })) return;
    const pressed = ({ home: 'home', app_switcher: 'appSwitcher', lock: 'power' } as const)[button];
    if (!pressed) return;
    this.phone.buttonDown(pressed, 0);
    this.phone.buttonUp(pressed, 0);
  }

  rotate(orientation: string): void {
    if (this.#arrived('orientation', { orientation })) this.phone.rotate(orientation as Orientation, 0);
  }

  toggleKeyboard(): void {
    if (this.#arrived('keyboard', {})) this.phone.toggleSoftwareKeyboard(0);
  }

  memoryWarning(): void {
    if (this.#arrived('memory', {})) this.phone.simulateMemoryWarning(0);
  }

  renderOption(option: string, enabled: boolean): void {
    if (!this.#arrived('render', { option, enabled })) return;
    const names: Readonly<Record<string, RenderOption>> = {
      debug_color_blended: 'colorBlendedLayers',
      debug_color_copies: 'colorCopiedImages',
      debug_color_misaligned: 'colorMisalignedImages',
      debug_color_offscreen: 'colorOffscreenRendered',
      debug_slow_animations: 'slowAnimations',
    };
    const known = names[option];
    if (known) this.phone.setRenderDebug(known, enabled, 0);
  }

  /** The home screen goes with a finger that moves, as a real one does. */
  picture(): Picture {
    const drawn = this.phone.render();
    const shown = `${drawn.version} ${this.#shift}`;
    if (this.#picture && shown === this.#shown) return this.#picture;
    this.#shown = shown;
    const { width, height } = drawn;
    const pixels = Buffer.from(drawn.pixels);
    if (this.#shift !== 0) {
      for (let row = 0; row < height; row++) {
        const line = pixels.subarray(row * width * 4, (row + 1) * width * 4);
        const at = (((-this.#shift % width) + width) % width) * 4;
        Buffer.concat([line.subarray(at), line.subarray(0, at)]).copy(line);
      }
    }
    this.#picture = { ...drawn, pixels, version: ++this.#version, damage: [{ x: 0, y: 0, width, height }] };
    return this.#picture;
  }

  inspect(): Inspection {
    return this.phone.inspect();
  }

  /** The picture is turned with the device, so a point of the panel is met where its pixel went. */
  #seen({ x, y }: Point): Point {
    switch (this.phone.orientation) {
      case 'portrait':
        return { x, y };
      case 'portrait_upside_down':
        return { x: 1 - x, y: 1 - y };
      // A quarter clockwise: what was at the bottom on the left is at the top on the left.
      case 'landscape_left':
        return { x: 1 - y, y: x };
      case 'landscape_right':
        return { x: y, y: 1 - x };
    }
  }

  #arrived(what: string, detail: unknown): boolean {
    this.arrivals.push({ atMs: sharedNowMs(), what, detail });
    return !this.deaf;
  }
}
