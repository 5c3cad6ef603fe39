import type { Rect } from '../../device/driver.ts';
import type { AppDefinition, TouchEvent } from '../apps/app.ts';
import { Press } from '../apps/press.ts';
import { appIcon } from '../art/app-icons.ts';
import { symbol } from '../art/symbols.ts';
import { wallpaper } from '../art/wallpaper.ts';
import { colour, faded } from '../draw/colour.ts';
import { TAP } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { clamp, contains, type Pixel } from '../geometry.ts';
import { Glide } from '../glide.ts';
import { fit } from '../text/fit.ts';
import { type HomeLayout, homeLayout, type Place } from './home-layout.ts';
import { paintAbout, paintCalendar, paintCards, paintGlance } from './home-widgets.ts';
import type { Layout } from './layout.ts';

const WHITE = colour(0xffffff);
const GLASS = colour(0xffffff, 0.22);

/** Time in which a page comes to rest. */
const TURN_MS = 300;
/** A finger that goes across by less, in points, turns no page. */
const TURN_POINTS = 60;
/** A finger that goes down pulls the search, on iOS: from where it is no tap any more, and for how far, in points. */
const PULL_POINTS = { from: 14, way: 240 };
/** How much of the finger's way a page follows where there is no further one. */
const RESISTANCE = 0.3;

interface Drag {
  readonly from: Pixel;
  /** The place between the pages when the finger came. */
  readonly page: number;
  at: Pixel;
}

/** Calls of the home screen to the system. */
export interface HomeHost {
  /** @param from the area of the app's icon */
  open(app: string, from: Rect): void;
  search(): void;
  /** @param share of its way that a finger has pulled the search; 0 when the finger lets it go */
  pullSearch(share: number): void;
}

/** Shows the icons of all apps over the wallpaper, on as many pages as they need, and a last page of cards. */
export class HomeScreen {
  readonly #environment: Environment;
  readonly #apps: readonly AppDefinition[];
  readonly #host: HomeHost;
  readonly #press: Press<Place | 'search'>;
  /** The place between the pages, in pages; a finger moves it. */
  readonly #turn: Glide;
  #drag: Drag | undefined;
  #page = 0;
  /** Cache of the last layouts of these apps; the theme never changes. */
  #laidOut: { readonly layout: Layout; readonly pages: HomeLayout[] } | undefined;

  constructor(environment: Environment, apps: readonly AppDefinition[], host: HomeHost) {
    this.#environment = environment;
    this.#apps = apps;
    this.#host = host;
    this.#press = new Press(environment.theme.px(14));
    this.#turn = new Glide(environment, TURN_MS);
  }

  get page(): number {
    return this.#page;
  }

  inspect(): Readonly<Record<string, unknown>> {
    const installed = this.#apps.filter((app) => app.package).map(({ id, name }) => ({ id, name }));
    return { page: this.#page, installed };
  }

  reset(): void {
    this.#page = 0;
    this.#drag = undefined;
    this.#turn.jumpTo(0);
    this.#press.cancel();
  }

  /** Shows a page, without a motion; the last one where there are not so many any more. */
  restore(page: number, layout: Layout): void {
    this.reset();
    this.#page = Math.min(page, this.layout(layout, 0).pages - 1);
    this.#turn.jumpTo(this.#page);
  }

  showFirstPage(): void {
    this.#page = 0;
    if (this.#turn.end !== 0) this.#turn.moveTo(0);
    this.#environment.changed();
  }

  isMoving(animationMs: number): boolean {
    return this.#turn.isMoving(animationMs);
  }

  layout(layout: Layout, page = this.#page): HomeLayout {
    if (this.#laidOut?.layout !== layout) this.#laidOut = { layout, pages: [] };
    const { pages } = this.#laidOut;
    const home = pages[page] ?? homeLayout(this.#apps, page, layout, this.#environment.theme);
    pages[page] = home;
    return home;
  }

  /** Other apps are installed than before. */
  appsChanged(): void {
    this.#laidOut = undefined;
    this.reset();
    this.#environment.changed();
  }

  /** The area of an app's icon if it is on the visible page. */
  iconOf(app: string, layout: Layout): Rect | undefined {
    return this.layout(layout).places.find((place) => place.app.id === app)?.icon;
  }

  touch({ phase, points }: TouchEvent, layout: Layout): void {
    const at = points[0];
    this.#environment.changed();
    if (phase === 'cancel' || !at) {
      this.#press.cancel();
      this.#host.pullSearch(0);
      return this.#rest();
    }
    const home = this.layout(layout);
    if (phase === 'begin') {
      const onSearch = home.search && contains(home.search, at) ? 'search' : undefined;
      this.#press.begin(onSearch ?? home.places.find(({ area }) => contains(area, at)), at);
      this.#drag = { from: at, at, page: this.#drag ? this.#dragged(this.#drag, layout) : this.#turn.now };
    }
    if (!this.#drag) return;
    this.#drag.at = at;
    this.#press.move(at);
    this.#host.pullSearch(this.#pulled(this.#drag));
    if (phase === 'end') this.#lift(this.#drag, home, layout);
  }

  /** The share of its way that a finger has pulled the search. */
  #pulled({ from, at }: Drag): number {
    const { platform, theme } = this.#environment;
    const { px } = theme;
    const down = at.y - from.y;
    if (platform !== 'ios' || down <= Math.abs(at.x - from.x)) return 0;
    return clamp((down - px(PULL_POINTS.from)) / px(PULL_POINTS.way), 0, 1);
  }

  #lift({ from, at }: Drag, home: HomeLayout, layout: Layout): void {
    const tapped = this.#press.end();
    const [across, down] = [at.x - from.x, at.y - from.y];
    const isAcross = Math.abs(across) > Math.abs(down);
    const enough = this.#environment.theme.px(TURN_POINTS);
    if (isAcross && Math.abs(across) >= enough) {
      this.#page = clamp(this.#page - Math.sign(across), 0, home.pages - 1);
    }
    this.#rest(layout);
    if (tapped === 'search') this.#host.search();
    else if (tapped) this.#host.open(tapped.app.id, tapped.icon);
    else if (!isAcross && down >= enough && this.#environment.platform === 'ios') this.#host.search();
    this.#host.pullSearch(0);
  }

  /** Lets the pages come to rest from where the finger has left them. */
  #rest(layout?: Layout): void {
    if (!this.#drag) return;
    const place = layout ? this.#dragged(this.#drag, layout) : this.#drag.page;
    this.#drag = undefined;
    if (place !== this.#page || this.#turn.end !== this.#page) this.#turn.moveFrom(place, this.#page);
  }

  /** The place between the pages at a moment of the animation time. */
  #place(layout: Layout, animationMs: number): number {
    return this.#drag ? this.#dragged(this.#drag, layout) : this.#turn.at(animationMs);
  }

  /** Where a finger has moved the pages to. */
  #dragged(drag: Drag, layout: Layout): number {
    const across = drag.at.x - drag.from.x;
    if (Math.abs(across) <= Math.abs(drag.at.y - drag.from.y)) return drag.page;
    const place = drag.page - across / layout.picture.width;
    const last = this.layout(layout).pages - 1;
    const inside = clamp(place, 0, last);
    return inside + (place - inside) * RESISTANCE;
  }

  paint(scene: Scene, layout: Layout, animationMs: number): void {
    const { theme } = this.#environment;
    const { width, height } = layout.picture;
    scene.sprite(wallpaper(theme, width, height), 0, 0);
    scene.node({ role: 'app', name: 'Home', id: 'home' }, layout.picture, () =>
      this.#paintPages(scene, layout, animationMs),
    );
  }

  #paintPages(scene: Scene, layout: Layout, animationMs: number): void {
    const { theme, platform } = this.#environment;
    const { px } = theme;
    const { picture } = layout;
    const home = this.layout(layout);
    const place = this.#place(layout, animationMs);
    for (const page of new Set([Math.floor(place), Math.ceil(place)])) {
      if (page < 0 || page >= home.pages) continue;
      const x = Math.round((page - place) * picture.width);
      scene.within({ ...picture, x }, () => this.#paintPage(scene, this.layout(layout, page), layout));
    }
    if (platform === 'ios') scene.round(home.dock, px(layout.turned ? 24 : 34), GLASS, 'smooth');
    for (const each of home.places) if (!each.labelled) this.#paintIcon(scene, each);
    this.#paintDots(scene, home, layout, Math.round(place));
    if (home.search) this.#paintSearch(scene, home.search);
  }

  /** Whatever moves with a page. */
  #paintPage(scene: Scene, { widget, cards, places }: HomeLayout, { turned }: Layout): void {
    const environment = this.#environment;
    if (widget && environment.platform === 'ios') paintCards(scene, environment, widget);
    else if (widget) paintGlance(scene, environment, widget, turned);
    if (cards) {
      paintCalendar(scene, environment, cards.calendar);
      paintAbout(scene, environment, cards.about);
    }
    for (const each of places) if (each.labelled) this.#paintIcon(scene, each);
  }

  #paintIcon(scene: Scene, { app, icon, area, labelled }: Place): void {
    const { theme, platform } = this.#environment;
    const { px, fonts } = theme;
    const { target } = this.#press;
    const isPressed = target !== undefined && target !== 'search' && target.app.id === app.id;
    scene.node({ role: 'button', name: app.name, id: `home.${app.id}`, actions: TAP }, area, () => {
      scene.sprite(appIcon(app, platform, icon.width), icon.x, icon.y, 'icon', isPressed ? 0.6 : 1);
      if (!labelled) return;
      const name = fit(app.name, fonts.small, area.width);
      const foot = icon.y + icon.height + px(18);
      scene.text(name, icon.x + icon.width / 2, foot, fonts.small, WHITE, 'centre');
    });
  }

  #paintDots(scene: Scene, home: HomeLayout, layout: Layout, current: number): void {
    const { px } = this.#environment.theme;
    const step = px(14);
    const left = Math.round(layout.picture.width / 2 - (step * (home.pages - 1)) / 2);
    const value = `${current + 1} of ${home.pages}`;
    const area = { x: left - px(4), y: home.dotsY - px(4), width: step * (home.pages - 1) + px(8), height: px(8) };
    scene.node({ role: 'other', name: 'Page', value, id: 'home.page' }, area);
    for (let page = 0; page < home.pages; page++) {
      const ink = page === current ? WHITE : colour(0xffffff, 0.4);
      scene.circle({ x: left + page * step, y: home.dotsY }, px(3.5), ink);
    }
  }

  #paintSearch(scene: Scene, area: Rect): void {
    const { px, fonts, palette } = this.#environment.theme;
    scene.node({ role: 'button', name: 'Search', id: 'home.search', actions: TAP }, area, () => {
      scene.round(area, px(26), faded(palette.grouped, 0.94));
      const middle = area.y + Math.round(area.height / 2);
      scene.symbol(symbol('search', px(22)), { x: area.x + px(30), y: middle }, palette.accent);
      scene.text('Search', area.x + px(52), middle + px(5.5), fonts.body, palette.secondary);
    });
  }
}
