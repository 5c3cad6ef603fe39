import { CAPABILITIES, type Orientation } from '@runcloud/protocol/terms';
import type { Rect } from '../../device/driver.ts';
import type { App, AppDefinition } from '../apps/app.ts';
import type { Command } from '../draw/command.ts';
import { Scene } from '../draw/scene.ts';
import type { Environment, OverlayName, PhoneState } from '../environment.ts';
import type { Size } from '../geometry.ts';
import { HomeScreen } from './home-screen.ts';
import type { Hud } from './hud.ts';
import { type Layout, LayoutMemo, layoutOf } from './layout.ts';
import { OnScreenKeyboard } from './on-screen-keyboard.ts';
import type { PanelAction } from './panels.ts';
import { renderDebug } from './render-debug.ts';
import { Switcher } from './switcher.ts';
import type { Transition } from './transition.ts';
import { UrlOpener } from './url-opener.ts';
import { UrlPrompt } from './url-prompt.ts';

/** Manages the running apps and the one in front. Every call changes the model at once. */
export class Shell {
  readonly environment: Environment;
  readonly state: PhoneState;
  readonly hud: Hud;
  readonly home: HomeScreen;
  readonly switcher: Switcher;
  readonly keyboard: OnScreenKeyboard;
  readonly urls: UrlOpener;
  readonly urlPrompt: UrlPrompt;
  readonly #apps: readonly AppDefinition[];
  readonly #layouts: LayoutMemo;
  /** Most recently used first. */
  #running: App[] = [];
  #transition: Transition | undefined;

  constructor(environment: Environment, state: PhoneState, hud: Hud, apps: readonly AppDefinition[]) {
    this.environment = environment;
    this.state = state;
    this.hud = hud;
    this.#apps = apps;
    this.#layouts = new LayoutMemo(environment.theme);
    this.home = new HomeScreen(environment, apps, (app, from) => this.open(app, from));
    this.switcher = new Switcher(environment, {
      running: () => this.#running,
      definition: (app) => this.#definition(app),
      paintApp: (app, animationMs) => this.paintApp(app, animationMs),
      open: (app, from) => this.open(app, from),
      closeApp: (app) => this.closeApp(app),
      goHome: () => this.goHome(),
    });
    this.urlPrompt = new UrlPrompt(environment, (handoff) => this.urls.confirmed(handoff));
    this.urls = new UrlOpener(
      environment,
      apps,
      { definition: (app) => this.#definition(app), openUrl: (app, url) => this.openUrl(app, url) },
      this.urlPrompt,
    );
    this.keyboard = new OnScreenKeyboard(environment, state, {
      text: (text) => this.typeText(text),
      key: (key) => {
        const { front } = this;
        front?.keyDown?.({ key, modifiers: [] });
        front?.keyUp?.({ key, modifiers: [] }, 0);
      },
    });
  }

  get transition(): Transition | undefined {
    return this.#transition;
  }

  /** The app in front, if one is. */
  get front(): App | undefined {
    return this.#running.find((app) => app.id === this.state.foreground);
  }

  get layout(): Layout {
    return this.#layouts.of(this.state, this.front?.immersive ?? false);
  }

  #definition(id: string): AppDefinition | undefined {
    return this.#apps.find((app) => app.id === id);
  }

  /** Brings an app to the front and starts it if necessary; the animation begins at `from`, its icon or card. */
  open(id: string, from?: Rect): void {
    const definition = this.#definition(id);
    if (!definition) return;
    const app = this.#running.find((running) => running.id === id) ?? definition.create(this.environment);
    this.#running = [app, ...this.#running.filter((running) => running !== app)];
    const anchor = from ?? this.#anchor(id);
    this.#show(id);
    this.#transition = { kind: 'open', app, anchor, startMs: this.environment.animationMs() };
    app.activate?.();
  }

  /** Brings an app to the front and passes a URL to it. Only the app interprets the URL. */
  openUrl(id: string, url: string): void {
    this.open(id);
    this.front?.openUrl?.(url);
    this.environment.changed();
  }

  goHome(): void {
    const leaving = this.front;
    this.#show('home');
    if (!leaving) return;
    const anchor = this.#anchor(leaving.id);
    this.#transition = { kind: 'close', app: leaving, anchor, startMs: this.environment.animationMs() };
  }

  toggleSwitcher(): void {
    const newest = this.#running[0];
    if (this.state.foreground === 'switcher') return newest ? this.open(newest.id) : this.goHome();
    this.#show('switcher');
    this.switcher.reset();
  }

  #show(foreground: string): void {
    const leaving = this.front;
    this.#transition = undefined;
    this.state.overlay = undefined;
    this.state.keyboardShown = false;
    this.state.foreground = foreground;
    this.relayout();
    if (leaving?.id !== foreground) leaving?.deactivate?.();
    this.environment.log('foreground', { foreground });
  }

  /** The area to which a closing app shrinks: its icon, or the middle of the screen if the icon is on another page. */
  #anchor(id: string): Rect {
    const { width, height } = this.state.size;
    const middle = { x: width >> 2, y: height >> 2, width: width >> 1, height: height >> 1 };
    return this.home.iconOf(id, layoutOf(this.state, this.environment.theme, false)) ?? middle;
  }

  closeApp(id: string): void {
    this.#running = this.#running.filter((app) => app.id !== id);
    this.environment.log('closed', { app: id });
    if (this.state.foreground === id) this.goHome();
    this.environment.changed();
  }

  /** The back button of Android closes the panel, then the keyboard; then the app goes one step back, at last home. */
  back(): void {
    if (this.state.overlay) return this.dismissOverlay();
    if (this.state.keyboardShown) return this.setKeyboard(false);
    if (this.front?.back?.()) return this.environment.changed();
    if (this.state.foreground !== 'home') this.goHome();
  }

  openOverlay(overlay: OverlayName): void {
    this.state.overlay = overlay;
    this.environment.log('overlay', { overlay });
    this.environment.changed();
  }

  dismissOverlay(): void {
    this.state.overlay = undefined;
    this.environment.log('overlay', { overlay: undefined });
    this.environment.changed();
  }

  act(action: PanelAction | undefined): void {
    this.dismissOverlay();
    if (action === 'reload') this.reload();
    else if (action === 'appInfo') this.open('settings');
    else if (action === 'powerOff') this.setScreen(false);
    else if (action === 'restart') {
      this.#running = [];
      this.home.reset();
      this.#show('home');
    }
  }

  setScreen(on: boolean): void {
    if (this.state.screenOn === on) return;
    this.state.screenOn = on;
    this.state.overlay = undefined;
    this.environment.log(on ? 'wake' : 'sleep');
    this.environment.changed();
  }

  setKeyboard(shown: boolean): void {
    if (this.state.keyboardShown === shown) return;
    if (shown) this.keyboard.reset();
    this.state.keyboardShown = shown;
    this.relayout();
  }

  /** Types text into the focused field. Without one the text is only logged. */
  typeText(text: string): void {
    if (!this.front?.typeText?.(text)) this.environment.log('text ignored', { length: text.length });
    this.environment.changed();
  }

  /** Inserts text into the focused field, as pasting does. Without one the text is only logged. */
  insertText(text: string): void {
    if (!this.front?.insertText?.(text)) this.environment.log('text ignored', { length: text.length });
    this.environment.changed();
  }

  rotate(orientation: Orientation): void {
    if (!CAPABILITIES[this.environment.platform].orientations.includes(orientation)) return;
    this.state.orientation = orientation;
    this.#fill(this.state.size);
  }

  /** Shows everything on another display, in the same orientation. */
  moveTo(display: string, size: Size): void {
    this.state.display = display;
    this.#fill(size);
  }

  /** Gives the picture the size of the display, in the phone's orientation. */
  #fill({ width, height }: Size): void {
    const { orientation } = this.state;
    const turned = orientation === 'landscape_left' || orientation === 'landscape_right';
    const [short, long] = [Math.min(width, height), Math.max(width, height)];
    this.state.size = turned ? { width: long, height: short } : { width: short, height: long };
    this.#transition = undefined;
    this.relayout();
    if (this.state.foreground === 'switcher') this.switcher.reset();
  }

  /** Restarts the app in front, or the home screen. */
  reload(): void {
    const app = this.front;
    this.environment.log('reloaded', { foreground: this.state.foreground });
    if (!app) {
      this.home.reset();
      if (this.state.foreground === 'switcher') this.#show('home');
      this.dismissOverlay();
      return;
    }
    const fresh = this.#definition(app.id)?.create(this.environment) ?? app;
    this.#running = this.#running.map((running) => (running === app ? fresh : running));
    this.#show(app.id);
    fresh.activate?.();
  }

  memoryWarning(): void {
    this.state.memoryWarnings++;
    for (const app of this.#running) app.memoryWarning?.();
    this.hud.show('memory');
  }

  /** Tells every app the current size of its area. */
  relayout(): void {
    for (const app of this.#running) {
      const shown = app.id === this.state.foreground;
      const state = shown ? this.state : { ...this.state, keyboardShown: false };
      const { width, height } = layoutOf(state, this.environment.theme, app.immersive).viewport;
      app.resize({ width, height });
    }
    this.environment.changed();
  }

  /** An app's whole picture, without the bars of the system. */
  paintApp(app: App, animationMs: number): readonly Command[] {
    const { width, height } = this.state.size;
    const scene = new Scene(width, height, renderDebug(this.state.renderOptions));
    this.paintAppInto(scene, app, animationMs);
    return scene.commands;
  }

  paintAppInto(scene: Scene, app: App, animationMs: number): void {
    const state = app === this.front ? this.state : { ...this.state, keyboardShown: false };
    const layout = layoutOf(state, this.environment.theme, app.immersive);
    scene.rect(layout.picture, app.background);
    scene.within(layout.viewport, () => app.paint(scene, animationMs));
  }
}
