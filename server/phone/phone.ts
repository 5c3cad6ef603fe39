import type {
  Button,
  DeviceLocation,
  FieldsOf,
  Key,
  Modifier,
  Orientation,
  RenderOption,
  RouteProgress,
} from '@runcloud/protocol';
import type { Inspection, Picture, Point } from '../device/driver.ts';
import type { UiScreen } from '../device/ui.ts';
import { AnimationClock } from './animation-clock.ts';
import type { AppDefinition } from './apps/app.ts';
import { BUILT_IN_APPS } from './apps/catalogue.ts';
import { type PhoneClock, phoneSystemClock } from './clock.ts';
import type { Environment, PhoneState } from './environment.ts';
import { PhoneFiles } from './files.ts';
import type { Size } from './geometry.ts';
import { hingeOf } from './hinge.ts';
import { initialState } from './initial-state.ts';
import { eachMinute } from './minutes.ts';
import { aboutPhone } from './models.ts';
import type { PhoneDisplay, PhoneOptions } from './phone-options.ts';
import { PhoneSettings } from './phone-settings.ts';
import { PhotoLibrary } from './photos.ts';
import type { SavedPhone } from './saved-state.ts';
import { Clipboard } from './system/clipboard.ts';
import { compose, composeUpright, dark, describe } from './system/compose.ts';
import { EventLog } from './system/event-log.ts';
import { HardwareButtons } from './system/hardware-buttons.ts';
import { HardwareKeys } from './system/hardware-keys.ts';
import { inspectPhone } from './system/inspect.ts';
import { restoreShell, saveShell } from './system/saved-shell.ts';
import { Shell } from './system/shell.ts';
import { TouchRouter } from './system/touch-router.ts';
import { createTheme } from './theme.ts';
import { Timers } from './timers.ts';
import { View } from './view.ts';

const SLOW_RATE = 0.1;

/**
 * A small phone whose screen is a framebuffer. Input changes its model at once, within microseconds. Only `render` draws,
 * and only the difference to the picture before. A phone with two displays has one active, and the other is dark.
 */
export class VirtualPhone {
  readonly photos: PhotoLibrary;
  readonly files: PhoneFiles;
  readonly log: EventLog;
  readonly settings: PhoneSettings;
  readonly #clock: PhoneClock;
  readonly #timers: Timers;
  readonly #animation: AnimationClock;
  readonly #clipboard = new Clipboard();
  readonly #state: PhoneState;
  readonly #shell: Shell;
  readonly #router: TouchRouter;
  readonly #buttons: HardwareButtons;
  readonly #keys: HardwareKeys;
  readonly #view: View;
  readonly #displays: readonly PhoneDisplay[];
  readonly #size: Size;
  /** Apps that it can have installed besides those that every phone has. */
  readonly #brought: readonly AppDefinition[];
  /** Of displays that somebody looks at by name. */
  readonly #views = new Map<string, View>();
  #onFold: () => void = () => undefined;
  #inputSeq = 0;
  #closed = false;

  constructor(options: PhoneOptions) {
    const { platform, width, height, scale } = options;
    this.photos = new PhotoLibrary({ width, height }, () => this.#markChanged());
    this.#clock = options.clock ?? phoneSystemClock;
    this.files = new PhoneFiles(this.#clock, () => this.#markChanged());
    this.#timers = new Timers(this.#clock);
    this.#animation = new AnimationClock(() => this.#clock.nowMs());
    this.log = new EventLog(this.#clock);
    this.#displays = options.displays ?? [];
    this.#size = { width, height };
    this.#brought = options.apps ?? [];
    this.#state = initialState({ width, height }, this.#displays[0]?.name);
    this.settings = new PhoneSettings({
      state: this.#state,
      log: this.log,
      changed: () => this.#markChanged(),
      relayout: () => this.#shell.relayout(),
    });
    const environment: Environment = {
      platform,
      theme: createTheme(platform, scale, () => this.#state),
      state: this.#state,
      clipboard: this.#clipboard,
      photos: this.photos,
      files: this.files,
      hinge: hingeOf(
        this.#displays,
        () => this.display,
        (folded) => this.fold(folded),
      ),
      about: aboutPhone(platform, options.model),
      nowMs: () => this.#clock.nowMs(),
      wallMs: () => this.#clock.wallMs(),
      animationMs: () => this.#animation.nowMs(),
      random: options.random ?? Math.random,
      changed: () => this.#markChanged(),
      log: (type, detail, atMs) => this.log.add(type, detail, atMs),
      showKeyboard: (shown) => this.#shell.setKeyboard(shown),
      setRenderOption: (option, enabled) => this.#setRenderOption(option, enabled),
      setAnimations: (enabled) => this.settings.setAnimations(enabled),
      setAppearance: (appearance) => this.settings.setAppearance(appearance),
      askPermission: (app, permission) => this.#shell.apps.askPermission(app, permission),
    };
    this.#shell = new Shell(environment, this.#state, this.#timers, [...BUILT_IN_APPS, ...this.#brought]);
    this.#router = new TouchRouter(this.#shell);
    this.#buttons = new HardwareButtons(this.#shell, this.#timers);
    this.#keys = new HardwareKeys(this.#shell);
    this.#view = new View({
      compose: () => compose(this.#shell, this.#router),
      isMoving: () => this.#isMoving(),
      inputSeq: () => this.#inputSeq,
    });
    if (options.orientation) this.#shell.rotate(options.orientation);
    eachMinute(this.#clock, this.#timers, () => this.#markChanged());
  }

  get orientation(): Orientation {
    return this.#state.orientation;
  }

  /** Name of the active display; `undefined` on a phone with one. */
  get display(): string | undefined {
    return this.#state.display;
  }

  /** True when the picture changes by itself, so that `render` should be called at the full rate. */
  get animating(): boolean {
    return this.#view.animating;
  }

  /** The text that was copied or set last. */
  get clipboard(): string {
    return this.#clipboard.text;
  }

  set clipboard(text: string) {
    this.#clipboard.text = text;
  }

  /** Points are normalised to the picture in its current orientation. */
  touch(phase: 'begin' | 'move' | 'end' | 'cancel', points: readonly Point[], inputSeq: number): void {
    this.#received(inputSeq);
    this.#router.touch(phase, points);
  }

  keyDown(key: Key, modifiers: readonly Modifier[], inputSeq: number): void {
    this.#received(inputSeq);
    this.#keys.down(key, modifiers);
  }

  keyUp(key: Key, modifiers: readonly Modifier[], inputSeq: number): void {
    this.#received(inputSeq);
    this.#keys.up(key, modifiers);
  }

  typeText(text: string, inputSeq: number): void {
    this.#received(inputSeq);
    this.log.add('text', { length: text.length });
    if (this.#shell.isUsable) this.#shell.typeText(text);
  }

  /** Inserts text of any language at the caret, as a whole; throws a `DeviceFault` where the field has no room for it. */
  insertText(text: string, inputSeq: number): void {
    this.#received(inputSeq);
    this.log.add('inserted', { length: text.length });
    if (this.#shell.isUsable) this.#shell.insertText(text);
  }

  buttonDown(button: Button, inputSeq: number): void {
    this.#received(inputSeq);
    this.#buttons.down(button);
    this.#forgetTouchWhenOff();
  }

  buttonUp(button: Button, inputSeq: number): void {
    this.#received(inputSeq);
    this.#buttons.up(button);
    this.#forgetTouchWhenOff();
  }

  rotate(orientation: Orientation, inputSeq: number): void {
    this.#received(inputSeq);
    this.log.add('rotate', { orientation });
    if (orientation === this.#state.orientation) return;
    this.#router.cancel();
    this.#shell.rotate(orientation, composeUpright(this.#shell, this.#router));
  }

  /** Shows the other display from now on. Without effect on a phone that does not fold. */
  fold(folded: boolean): void {
    const display = this.#displays[folded ? 1 : 0];
    if (!display || display.name === this.#state.display) return;
    this.log.add('fold', { folded });
    this.#router.cancel();
    this.#shell.moveTo(display.name, display);
    this.#onFold();
  }

  reload(inputSeq: number): void {
    this.#received(inputSeq);
    this.#router.cancel();
    this.#shell.reload();
  }

  /** The installed apps. */
  get apps(): Shell['apps'] {
    return this.#shell.apps;
  }

  /** Starts an app, or brings it to the front. Throws a `DeviceFault`. */
  launchApp(launch: FieldsOf<'launchApp'>, inputSeq: number): void {
    this.#received(inputSeq);
    this.#router.cancel();
    this.#shell.apps.launch(launch);
  }

  /** Ends an app, which forgets everything: when it is opened again, it begins anew. */
  closeApp(id: string): void {
    this.#shell.closeApp(id);
  }

  /** Deltas are fractions of the viewport; positive ones scroll towards the end. */
  scroll(deltaX: number, deltaY: number, anchor: Point | undefined, inputSeq: number): void {
    this.#received(inputSeq);
    this.log.add('scroll', { deltaX, deltaY, anchor });
    if (!this.#shell.isUsable || this.#state.overlay || this.#shell.alerts.shown) return;
    const { width, height } = this.#shell.layout.viewport;
    this.#shell.front?.scroll?.(Math.round(deltaX * width), Math.round(deltaY * height));
  }

  toggleSoftwareKeyboard(inputSeq: number): void {
    this.#received(inputSeq);
    this.log.add('keyboard', { shown: !this.#state.keyboardShown });
    if (this.#shell.isUsable) this.#shell.setKeyboard(!this.#state.keyboardShown);
  }

  /** Opens a URL and returns the app that handles it. Throws a `DeviceFault`. */
  openUrl(url: string, inputSeq: number): string {
    this.#received(inputSeq);
    return this.#shell.urls.open(url);
  }

  simulateMemoryWarning(inputSeq: number): void {
    this.#received(inputSeq);
    this.log.add('memory warning');
    this.#shell.memoryWarning();
  }

  setRenderDebug(option: RenderOption, enabled: boolean, inputSeq: number): void {
    this.#received(inputSeq);
    this.#setRenderOption(option, enabled);
  }

  /** Where it is; a new phone does not know. */
  get location(): DeviceLocation | undefined {
    return this.#state.location;
  }

  set location(location: DeviceLocation | undefined) {
    this.#state.location = location;
    this.log.add('location', location);
    this.#markChanged();
  }

  /** What moves it along a route, or has moved it. */
  set route(route: RouteProgress | undefined) {
    if (route === this.#state.route) return;
    this.#state.route = route;
    this.#markChanged();
  }

  /** Its state at rest: what is on its way is at its end, and nothing is held. */
  save(): SavedPhone {
    return { ...saveShell(this.#shell), clipboard: this.#clipboard.text };
  }

  /** Takes over a state of a phone of the same model, whose apps this one was given. */
  restore({ clipboard, ...saved }: SavedPhone): void {
    this.releaseAll();
    const { display } = this.#state;
    const size = this.#displays.find(({ name }) => name === saved.state.display) ?? this.#size;
    const installed = saved.installed.flatMap((id) => this.#brought.find((app) => app.id === id) ?? []);
    restoreShell(this.#shell, saved, [...BUILT_IN_APPS, ...installed], size);
    this.#clipboard.text = clipboard;
    this.#animation.setRate(this.#state.renderOptions.has('slowAnimations') ? SLOW_RATE : 1);
    this.log.add('restored');
    this.#markChanged();
    if (this.#state.display !== display) this.#onFold();
  }

  /** Cancels touches and releases keys and buttons, without the effects that releasing them would have. */
  releaseAll(): void {
    this.#router.cancel();
    this.#keys.releaseAll();
    this.#buttons.releaseAll();
    this.#markChanged();
  }

  /** Draws the changes since the last call; returns the same picture object if nothing has changed. */
  render(): Picture {
    return this.#view.render();
  }

  /** What one display shows, active or not; `undefined` for a name that is none. */
  viewOf(name: string): View | undefined {
    const display = this.#displays.find((other) => other.name === name);
    const known = this.#views.get(name);
    if (!display || known) return known;
    const { width, height } = display;
    const isActive = () => this.#state.display === name;
    const off = dark({ width, height, orientation: 'portrait', display: name });
    const view = new View({
      compose: () => (isActive() ? compose(this.#shell, this.#router) : off),
      isMoving: () => isActive() && this.#isMoving(),
      inputSeq: () => this.#inputSeq,
    });
    this.#views.set(name, view);
    return view;
  }

  /** Draws the whole picture again. Tests compare it with the result of `render`, which must leave nothing out. */
  redraw(): Picture {
    return this.#view.redraw();
  }

  /** Calls `listener` when the next `render` may return another picture; only once until that `render`. */
  onChange(listener: () => void): void {
    this.#view.onChange(listener);
  }

  /** Calls `listener` when another display has become active. */
  onFold(listener: () => void): void {
    this.#onFold = listener;
  }

  /** Calls `listener` whenever the clipboard holds another text. */
  onClipboard(listener: () => void): void {
    this.#clipboard.onChange(listener);
  }

  /** What is on the screen, as a person finds it once the motions of the system are over. Changes nothing. */
  describe(): UiScreen {
    const { orientation, display, screenOn, foreground } = this.#state;
    return {
      screen: screenOn ? 'on' : 'off',
      app: this.#shell.nameOf(foreground),
      orientation,
      ...(display === undefined ? {} : { display }),
      nodes: describe(this.#shell, this.#router),
    };
  }

  inspect(): Inspection {
    return inspectPhone(this.#shell, this.#router, this.#buttons, this.#keys, this.log);
  }

  /** Stops every timer; the last picture stays readable. */
  close(): void {
    this.#closed = true;
    this.#timers.close();
  }

  #received(inputSeq: number): void {
    this.#inputSeq = Math.max(this.#inputSeq, inputSeq);
  }

  #setRenderOption(option: RenderOption, enabled: boolean): void {
    const { renderOptions } = this.#state;
    if (enabled) renderOptions.add(option);
    else renderOptions.delete(option);
    this.#animation.setRate(renderOptions.has('slowAnimations') ? SLOW_RATE : 1);
    this.log.add('render option', { option, enabled });
    this.#markChanged();
  }

  #forgetTouchWhenOff(): void {
    if (!this.#state.screenOn) this.#router.cancel();
  }

  #isMoving(): boolean {
    if (!this.#state.screenOn) return false;
    return this.#shell.isMoving(this.#animation.nowMs());
  }

  #markChanged(): void {
    if (this.#closed) return;
    this.#view.markChanged();
    for (const view of this.#views.values()) view.markChanged();
  }
}
