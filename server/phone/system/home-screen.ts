import type { Rect } from '../../device/driver.ts';
import type { AppDefinition, TouchEvent } from '../apps/app.ts';
import { Press } from '../apps/press.ts';
import { appIcon } from '../art/app-icons.ts';
import { symbol } from '../art/symbols.ts';
import { wallpaper } from '../art/wallpaper.ts';
import { colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import { clockText, type Environment } from '../environment.ts';
import { clamp, contains, type Pixel } from '../geometry.ts';
import { fit } from '../text/fit.ts';
import { type HomeLayout, homeLayout, type Place } from './home-layout.ts';
import type { Layout } from './layout.ts';

const WHITE = colour(0xffffff);
const GLASS = colour(0xffffff, 0.22);
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** Shows the icons of all apps over the wallpaper, on as many pages as they need. */
export class HomeScreen {
  readonly #environment: Environment;
  readonly #apps: readonly AppDefinition[];
  readonly #open: (app: string, from: Rect) => void;
  readonly #press: Press<Place>;
  #from: Pixel | undefined;
  #page = 0;
  /** Cache of the last layout; the apps and the theme never change. */
  #laidOut: { readonly layout: Layout; readonly page: number; readonly home: HomeLayout } | undefined;

  /** @param open called with an app that was tapped and the area of its icon */
  constructor(environment: Environment, apps: readonly AppDefinition[], open: (app: string, from: Rect) => void) {
    this.#environment = environment;
    this.#apps = apps;
    this.#open = open;
    this.#press = new Press(environment.theme.px(14));
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
    this.#press.cancel();
  }

  layout(layout: Layout): HomeLayout {
    const page = this.#page;
    if (this.#laidOut?.layout !== layout || this.#laidOut.page !== page) {
      this.#laidOut = { layout, page, home: homeLayout(this.#apps, page, layout, this.#environment.theme) };
    }
    return this.#laidOut.home;
  }

  /** The area of an app's icon if it is on the visible page. */
  iconOf(app: string, layout: Layout): Rect | undefined {
    return this.layout(layout).places.find((place) => place.app.id === app)?.icon;
  }

  touch({ phase, points }: TouchEvent, layout: Layout): void {
    const at = points[0];
    if (phase === 'cancel' || !at) return this.#press.cancel();
    const home = this.layout(layout);
    if (phase === 'begin') {
      this.#press.begin(
        home.places.find(({ area }) => contains(area, at)),
        at,
      );
      this.#from = at;
    } else this.#press.move(at);
    this.#environment.changed();
    if (phase !== 'end') return;
    const tapped = this.#press.end();
    if (tapped) return this.#open(tapped.app.id, tapped.icon);
    const way = at.x - (this.#from?.x ?? at.x);
    if (Math.abs(way) < this.#environment.theme.px(60)) return;
    this.#page = clamp(this.#page - Math.sign(way), 0, home.pages - 1);
  }

  paint(scene: Scene, layout: Layout): void {
    const { theme, platform } = this.#environment;
    const { px, fonts } = theme;
    const home = this.layout(layout);
    scene.sprite(wallpaper(platform, layout.picture.width, layout.picture.height), 0, 0);
    if (platform === 'ios') this.#paintCards(scene, home.widget);
    else this.#paintGlance(scene, home.widget, layout.turned);
    if (platform === 'ios') scene.round(home.dock, px(layout.turned ? 24 : 34), GLASS, 'smooth');
    for (const { app, icon, area, labelled } of home.places) {
      const sprite = appIcon(app, platform, icon.width);
      const pressed = this.#press.target?.app.id === app.id;
      scene.sprite(sprite, icon.x, icon.y, 'icon', pressed ? 0.6 : 1);
      if (!labelled) continue;
      const middle = icon.x + icon.width / 2;
      scene.text(
        fit(app.name, fonts.small, area.width),
        middle,
        icon.y + icon.height + px(18),
        fonts.small,
        WHITE,
        'centre',
      );
    }
    if (home.pages > 1) this.#paintDots(scene, home, layout);
    if (home.search) this.#paintSearch(scene, home.search);
  }

  #date(): { day: string; date: number; month: string } {
    const at = new Date(this.#environment.wallMs());
    return { day: DAYS[at.getUTCDay()] ?? '', date: at.getUTCDate(), month: MONTHS[at.getUTCMonth()] ?? '' };
  }

  /** Two cards: the date, and the time. */
  #paintCards(scene: Scene, area: Rect): void {
    const { theme, platform } = this.#environment;
    const { px, fonts } = theme;
    const gap = px(16);
    const width = Math.floor((area.width - gap) / 2);
    const radius = px(24);
    const { day, date, month } = this.#date();
    const left = { ...area, width };
    scene.round(left, radius, colour(0xffffff, 0.92), 'smooth');
    const compact = area.height < px(150);
    const base = area.y + area.height;
    const big = compact ? fonts.title : fonts.huge;
    scene.text(day.toUpperCase(), left.x + px(16), area.y + px(30), fonts.small, colour(0xff3b30));
    scene.text(String(date), left.x + px(14), area.y + px(compact ? 68 : 88), big, colour(0x111114));
    scene.text(month, left.x + px(16), base - px(18), fonts.caption, colour(0x85858b));
    const right = { ...left, x: area.x + width + gap };
    scene.round(right, radius, colour(0x0b1030, 0.55), 'smooth');
    scene.text('UTC', right.x + px(16), area.y + px(30), fonts.small, colour(0x8fd0ff));
    const clock = clockText(this.#environment.wallMs(), platform);
    const clockFont = fonts.title;
    scene.text(clock, right.x + px(16), area.y + px(compact ? 68 : 74), clockFont, WHITE);
    scene.text('Virtual phone', right.x + px(16), base - px(18), fonts.caption, colour(0xffffff, 0.7));
  }

  #paintGlance(scene: Scene, area: Rect, turned: boolean): void {
    const { theme, platform } = this.#environment;
    const { px, fonts } = theme;
    const { day, date, month } = this.#date();
    const clock = clockText(this.#environment.wallMs(), platform);
    scene.text(clock, area.x, area.y + px(62), fonts.huge, WHITE);
    scene.text(`${day}, ${date} ${month}`, area.x + px(2), area.y + px(turned ? 92 : 94), fonts.body, WHITE);
  }

  #paintDots(scene: Scene, home: HomeLayout, layout: Layout): void {
    const { px } = this.#environment.theme;
    const step = px(14);
    const left = Math.round(layout.picture.width / 2 - (step * (home.pages - 1)) / 2);
    for (let page = 0; page < home.pages; page++) {
      const ink = page === this.#page ? WHITE : colour(0xffffff, 0.4);
      scene.circle({ x: left + page * step, y: home.dotsY }, px(3.5), ink);
    }
  }

  #paintSearch(scene: Scene, area: Rect): void {
    const { px, fonts } = this.#environment.theme;
    scene.round(area, px(26), colour(0xf7f2fa, 0.94));
    const middle = area.y + Math.round(area.height / 2);
    scene.symbol(symbol('search', px(22)), { x: area.x + px(30), y: middle }, colour(0x5b4bb5));
    scene.text('Search', area.x + px(52), middle + px(5.5), fonts.body, colour(0x67636d));
    scene.symbol(symbol('microphone', px(22)), { x: area.x + area.width - px(30), y: middle }, colour(0x5b4bb5));
  }
}
