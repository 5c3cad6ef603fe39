import { CAPABILITIES, type Orientation } from '@runcloud/protocol/terms';
import type { Rect } from '../../device/driver.ts';
import type { App, AppDefinition } from '../apps/app.ts';
import type { Frame } from '../draw/screen.ts';
import type { Environment, Notice, OverlayName, PhoneState } from '../environment.ts';
import type { Size } from '../geometry.ts';
import type { Timers } from '../timers.ts';
import { Alerts } from './alerts.ts';
import { AppManager } from './app-manager.ts';
import { Banner } from './banner.ts';
import { FrontPainter } from './front-painter.ts';
import { HomeScreen } from './home-screen.ts';
import { Hud } from './hud.ts';
import { KeyboardSlides } from './keyboard-slides.ts';
import { type Layout, LayoutMemo, layoutOf } from './layout.ts';
import { LockScreen } from './lock-screen.ts';
import { withNotice } from './notices.ts';
import { OnScreenKeyboard } from './on-screen-keyboard.ts';
import type { PanelAction } from './panels.ts';
import { Rotation } from './rotation.ts';
import { Search } from './search.ts';
import { Shade } from './shade.ts';
import type { ShadeAction } from './shade-layout.ts';
import { Switcher } from './switcher.ts';
import { type Front, fullPose, isRunning, type Pose, poseAt, smallPose, type Transition } from './transition.ts';
import { UrlOpener } from './url-opener.ts';

/** Whatever can get keys and text. */
type TextTarget = Partial<Pick<App, 'typeText' | 'insertText' | 'beginsSentence' | 'keyDown' | 'keyUp'>>;

/** Manages the running apps and the one in front. Every call changes the model at once. */
export class Shell {
  readonly environment: Environment;
  readonly state: PhoneState;
  readonly hud: Hud;
  readonly banner: Banner;
  readonly apps: AppManager;
  readonly home: HomeScreen;
  readonly search: Search;
  readonly switcher: Switcher;
  readonly keyboard: OnScreenKeyboard;
  readonly rotation: Rotation;
  readonly lock: LockScreen;
  readonly shade: Shade;
  readonly urls: UrlOpener;
  readonly alerts: Alerts;
  readonly painter: FrontPainter;
  readonly #apps: readonly AppDefinition[];
  readonly #layouts: LayoutMemo;
  readonly #slides: KeyboardSlides;
  /** Most recently used first. */
  #running: App[] = [];
  #transition: Transition | undefined;

  constructor(environment: Environment, state: PhoneState, timers: Timers, apps: AppDefinition[]) {
    this.environment = environment;
    this.state = state;
    this.hud = new Hud(environment, timers);
    this.banner = new Banner(environment, timers, ({ app }) => this.#openNotice(app));
    this.#apps = apps;
    this.#layouts = new LayoutMemo(environment.theme);
    this.#slides = new KeyboardSlides(environment);
    this.rotation = new Rotation(environment);
    this.shade = new Shade(environment, state, {
      open: (kind) => this.openOverlay(kind),
      dismiss: () => this.dismissOverlay(),
      act: (action) => this.#actFromShade(action),
    });
    this.lock = new LockScreen(environment, () => this.unlock());
    this.apps = new AppManager(environment, apps, this, () => this.#running);
    this.home = new HomeScreen(environment, apps, {
      open: (app, from) => this.open(app, from),
      search: () => this.openSearch(),
      pullSearch: (share) => this.search.pull(share),
    });
    this.search = new Search(environment, apps, {
      open: (app, from) => this.open(app, from),
      close: () => this.closeSearch(),
    });
    this.switcher = new Switcher(environment, timers, {
      layout: () => this.layout,
      front: () => this.front,
      running: () => this.#running,
      definition: (app) => this.definition(app),
      paintApp: (app, animationMs) => this.painter.paintApp(app, animationMs, false),
      open: (app, from) => this.open(app, from),
      closeApp: (app) => this.closeApp(app),
      goHome: () => this.goHome(),
      paintHome: () => this.painter.picture((scene) => this.home.paint(scene, this.layout, environment.animationMs())),
    });
    this.alerts = new Alerts(environment, {
      opened: (handoff) => this.urls.confirmed(handoff),
      decided: ({ app, permission }, access) => this.apps.setPermission({ app: app.id, permission, access }),
    });
    this.urls = new UrlOpener(environment, apps, this, this.alerts);
    this.keyboard = new OnScreenKeyboard(environment, state, {
      text: (text) => this.typeText(text),
      key: (key) => {
        const { focus } = this;
        focus?.keyDown?.({ key, modifiers: [] });
        focus?.keyUp?.({ key, modifiers: [] }, 0);
      },
      beginsSentence: () => this.focus?.beginsSentence?.() ?? false,
    });
    this.painter = new FrontPainter(environment, this.keyboard, this.#slides, (app) => this.nameOf(app.id));
  }

  /** The motion of an app at a moment of the animation time. */
  transition(animationMs: number): Transition | undefined {
    return isRunning(this.environment, this.#transition, animationMs) ? this.#transition : undefined;
  }

  /** True when the picture changes by itself. */
  isMoving(animationMs: number): boolean {
    return (
      (!this.lock.covers(animationMs) && (this.front?.animating(animationMs) ?? false)) ||
      this.transition(animationMs) !== undefined ||
      this.#slides.isMoving(animationMs) ||
      this.rotation.isMoving(animationMs) ||
      this.switcher.isMoving(animationMs) ||
      this.home.isMoving(animationMs) ||
      this.search.isMoving(animationMs) ||
      this.lock.isMoving(animationMs) ||
      this.shade.isMoving(animationMs) ||
      this.hud.animating(animationMs) ||
      this.banner.isMoving(animationMs)
    );
  }

  /** True when touches, keys and text reach whatever is in front. */
  get isUsable(): boolean {
    return this.state.screenOn && !this.state.locked;
  }

  /** The app in front, or the part of the system that is. */
  get showing(): Front {
    return this.front ?? (this.state.foreground === 'switcher' ? 'switcher' : 'home');
  }

  /** Whatever gets keys and text. */
  get focus(): TextTarget | undefined {
    return this.search.shown ? this.search : this.front;
  }

  /** Most recently used first. */
  get running(): readonly App[] {
    return this.#running;
  }

  /** Has these apps running, in a picture of the display's size, and shows no motion. */
  takeOver(running: readonly App[], display: Size): void {
    this.#running = [...running];
    this.rotation.end();
    this.#slides.restore(this.state.keyboardShown ? this.state.foreground : undefined);
    this.#fill(display);
  }

  /** The app in front, if one is. */
  get front(): App | undefined {
    return this.#running.find((app) => app.id === this.state.foreground);
  }

  get layout(): Layout {
    return this.#layouts.of(this.state, this.front?.immersive ?? false);
  }

  definition(id: string): AppDefinition | undefined {
    return this.#apps.find((app) => app.id === id);
  }

  /** The name of an app or a part of the system, by its id. */
  nameOf(foreground: string): string {
    return this.definition(foreground)?.name ?? (foreground === 'switcher' ? 'App switcher' : 'Home');
  }

  /** Brings an app to the front and starts it if necessary; the animation begins at `from`, its icon or card. */
  open(id: string, from?: Rect): void {
    const definition = this.definition(id);
    if (!definition) return;
    this.unlock();
    const app = this.#running.find((running) => running.id === id) ?? definition.create(this.environment);
    this.#running = [app, ...this.#running.filter((running) => running !== app)];
    const below = this.showing;
    const card = below === 'switcher' ? this.switcher.pose(app, this.layout) : undefined;
    const start = this.#poseNow(app) ?? card ?? smallPose(this.environment, from ?? this.#anchor(id));
    if (below === 'switcher') this.switcher.go(false);
    const moving = below === app ? this.#transition : this.#move(app, start, fullPose(this.environment), below);
    this.#show(id);
    this.#transition = moving;
    app.activate?.();
  }

  /** Brings an app to the front and passes a URL to it. Only the app interprets the URL. */
  openUrl(id: string, url: string): void {
    this.open(id);
    this.front?.openUrl?.(url);
    this.environment.changed();
  }

  goHome(): void {
    this.unlock();
    const leaving = this.front;
    const now = leaving && this.#poseNow(leaving);
    if (this.state.foreground === 'home') this.home.showFirstPage();
    if (this.state.foreground === 'switcher') this.switcher.go(true);
    this.#show('home');
    if (!leaving) return;
    const start = now ?? fullPose(this.environment);
    this.#transition = this.#move(leaving, start, smallPose(this.environment, this.#anchor(leaving.id)), 'home');
  }

  #move(app: App, from: Pose, to: Pose, below: Front): Transition {
    return { app, from, to, below, startMs: this.environment.animationMs() };
  }

  /** Where an app is at this moment if it is on its way. */
  #poseNow(app: App): Pose | undefined {
    const nowMs = this.environment.animationMs();
    const moving = this.transition(nowMs);
    return moving?.app === app ? poseAt(this.environment, moving, nowMs) : undefined;
  }

  toggleSwitcher(): void {
    const newest = this.#running[0];
    if (this.state.foreground === 'switcher') return newest ? this.open(newest.id) : this.goHome();
    const leaving = this.front;
    const start = leaving && (this.#poseNow(leaving) ?? fullPose(this.environment));
    this.#show('switcher');
    this.switcher.come(!leaving);
    const card = leaving && this.switcher.pose(leaving, this.layout);
    if (leaving && start && card) this.#transition = this.#move(leaving, start, card, 'switcher');
  }

  #show(foreground: string): void {
    const leaving = this.front;
    this.search.show(false);
    this.#slides.set(this.state.foreground, false);
    this.#transition = undefined;
    this.#setOverlay(undefined);
    this.state.keyboardShown = false;
    this.state.foreground = foreground;
    this.relayout();
    if (leaving && leaving.id !== foreground) {
      leaving.deactivate?.();
      if (foreground !== 'switcher') this.switcher.expect();
    }
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

  /** The back button of Android closes what lies above the app, then the keyboard; then the app goes one step back, at last home. */
  back(): void {
    if (this.alerts.shown) return this.alerts.dismiss();
    if (this.state.overlay) return this.dismissOverlay();
    if (this.search.shown) return this.closeSearch();
    if (this.state.keyboardShown) return this.setKeyboard(false);
    if (this.front?.back?.()) return this.environment.changed();
    if (this.state.foreground !== 'home') this.goHome();
  }

  openSearch(): void {
    this.search.show(true);
    this.setKeyboard(true);
  }

  closeSearch(): void {
    this.search.show(false);
    this.setKeyboard(false);
  }

  openOverlay(overlay: OverlayName): void {
    this.#setOverlay(overlay);
    this.environment.log('overlay', { overlay });
    this.environment.changed();
  }

  dismissOverlay(): void {
    this.#setOverlay(undefined);
    this.environment.log('overlay', { overlay: undefined });
    this.environment.changed();
  }

  #setOverlay(overlay: OverlayName | undefined): void {
    if (this.state.overlay === overlay) return;
    this.state.overlay = overlay;
    this.shade.follow(overlay);
  }

  #actFromShade(action: ShadeAction): void {
    const { appearance } = this.state;
    if (action === 'darkMode') this.environment.setAppearance(appearance === 'dark' ? 'light' : 'dark');
    else if (action === 'silent') this.toggleSilent();
    else if (action === 'clear') this.state.notices = [];
    else if (action === 'lock') this.setScreen(false);
    else if (action === 'settings') this.open(action);
    else this.#openNotice(action.app);
  }

  /** Shows a notification of an app, for which the screen comes on. */
  notify(notice: Notice): void {
    this.state.notices = withNotice(this.state.notices, notice);
    this.setScreen(true);
    this.banner.show(notice);
  }

  #openNotice(app: string | undefined): void {
    if (app === undefined) return;
    this.state.notices = this.state.notices.filter((notice) => notice.app !== app);
    this.open(app);
    this.front?.notificationOpened?.();
  }

  toggleSilent(): void {
    this.state.silent = !this.state.silent;
    this.environment.log('silent', { silent: this.state.silent });
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
    this.#setOverlay(undefined);
    this.environment.log(on ? 'wake' : 'sleep');
    if (on) this.lock.wake();
    else {
      this.state.locked = true;
      this.lock.fall();
    }
    this.environment.changed();
  }

  /** Takes the lock screen away. While the screen is off it stays: whatever comes to the front is behind it. */
  unlock(): void {
    if (!this.state.screenOn || !this.state.locked) return;
    this.state.locked = false;
    this.lock.rise();
    this.environment.log('unlock');
    this.environment.changed();
  }

  setKeyboard(shown: boolean): void {
    if (this.state.keyboardShown === shown) return;
    if (shown) this.keyboard.reset();
    this.state.keyboardShown = shown;
    this.#slides.set(this.state.foreground, shown);
    this.relayout();
  }

  /** Types text into the focused field. Without one the text is only logged. */
  typeText(text: string): void {
    if (!this.focus?.typeText?.(text)) this.environment.log('text ignored', { length: text.length });
    this.environment.changed();
  }

  /** Inserts text into the focused field, as pasting does. Without one the text is only logged. */
  insertText(text: string): void {
    if (!this.focus?.insertText?.(text)) this.environment.log('text ignored', { length: text.length });
    this.environment.changed();
  }

  /** @param before the picture as it was, which turns; without it there is nothing to see */
  rotate(orientation: Orientation, before?: Frame): void {
    if (!CAPABILITIES[this.environment.platform].orientations.includes(orientation)) return;
    if (before && this.state.screenOn) this.rotation.begin(before, orientation);
    else this.rotation.end();
    this.state.orientation = orientation;
    this.#fill(this.state.size);
  }

  /** Shows everything on another display, in the same orientation. */
  moveTo(display: string, size: Size): void {
    this.state.display = display;
    this.rotation.end();
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
      if (this.search.shown) this.closeSearch();
      if (this.state.foreground === 'switcher') this.#show('home');
      this.dismissOverlay();
      return;
    }
    const fresh = this.definition(app.id)?.create(this.environment) ?? app;
    this.#running = this.#running.map((running) => (running === app ? fresh : running));
    this.#show(app.id);
    fresh.activate?.();
  }

  memoryWarning(): void {
    this.state.memoryWarnings++;
    const notice = { title: 'Memory warning', text: 'Apps were asked to free what they can do without.' };
    this.state.notices = withNotice(this.state.notices, { ...notice, wallMs: this.environment.wallMs() });
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
}
