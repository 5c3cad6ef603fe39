import type { Rect } from '../../device/driver.ts';
import { symbol } from '../art/symbols.ts';
import { type Colour, colour, faded } from '../draw/colour.ts';
import { type NodeFacts, TAP, TYPE } from '../draw/node-tree.ts';
import type { Scene } from '../draw/scene.ts';
import { centre, type Size } from '../geometry.ts';
import type { TextEditor } from '../text/editor.ts';
import { fit, fitEnd } from '../text/fit.ts';
import type { Theme } from '../theme.ts';
import { CARD_NAME, type CardPage } from './card-page.ts';

export const START = 'about:start';

export const FAVOURITES: readonly { readonly name: string; readonly address: string; readonly hue: number }[] = [
  { name: 'Example', address: 'https://example.com/', hue: 0x3478f6 },
  { name: 'News', address: 'https://news.example/', hue: 0xf2545b },
  { name: 'Maps', address: 'https://maps.example/', hue: 0x2fb36d },
  { name: 'Weather', address: 'https://weather.example/', hue: 0x2aa7d9 },
  { name: 'Recipes', address: 'https://recipes.example/', hue: 0xf29a38 },
  { name: 'Travel', address: 'https://travel.example/', hue: 0x8d63e0 },
  { name: 'Music', address: 'https://music.example/', hue: 0xe0529c },
  { name: 'Docs', address: 'https://docs.example/', hue: 0x5d6b82 },
];

const COLUMNS = 4;

/** The browser's view. */
export interface BrowserPage {
  readonly address: string;
  readonly loads: number;
  readonly canGoBack: boolean;
  readonly pressedFavourite: number | undefined;
  /** Edits the address; `undefined` if the address field has no focus. */
  readonly editor: TextEditor | undefined;
  /** The test card, if that is the page. */
  readonly card: CardPage | undefined;
  /** Whether the page was asked for and did not come. */
  readonly isUnreached: boolean;
  /** Whether that is since it took too long; otherwise there was no network. */
  readonly isGivenUp: boolean;
  /** How much of it is here, from 0 to 1, while it is on its way. */
  readonly share: number | undefined;
}

/** The part of the app that shows the page. */
export function pageArea(size: Size, { px }: Theme): Rect {
  const bar = px(56);
  return { x: 0, y: bar, width: size.width, height: size.height - bar };
}

export function browserLayout(size: Size, theme: Theme) {
  const { px } = theme;
  const bar = pageArea(size, theme).y;
  const button = px(44);
  const top = Math.round((bar - button) / 2);
  const tile = Math.floor((size.width - px(40) - px(14) * (COLUMNS - 1)) / COLUMNS);
  const tileHeight = Math.min(tile, px(76)) + px(28);
  const favouritesTop = bar + px(58);
  return {
    bar,
    favouritesTop,
    back: { x: px(6), y: top, width: button, height: button },
    reload: { x: size.width - px(6) - button, y: top, width: button, height: button },
    address: { x: px(54), y: px(8), width: size.width - px(108), height: px(40) },
    favourites: FAVOURITES.map((_, index) => ({
      x: px(20) + (index % COLUMNS) * (tile + px(14)),
      y: favouritesTop + Math.floor(index / COLUMNS) * (tileHeight + px(10)),
      width: tile,
      height: tileHeight,
    })),
  };
}

/** @param seen the part of the app in sight */
export function paintBrowser(scene: Scene, size: Size, seen: Size, theme: Theme, page: BrowserPage): void {
  const layout = browserLayout(size, theme);
  const { palette, px } = theme;
  const back = theme.platform === 'ios' ? 'chevronLeft' : 'arrowLeft';
  const active = page.canGoBack ? palette.accent : palette.separator;
  const backFacts = { role: 'button', name: 'Back', id: 'browser.back', actions: TAP } as const;
  scene.node({ ...backFacts, disabled: !page.canGoBack }, layout.back, () => {
    scene.symbol(symbol(back, px(24)), centre(layout.back), active);
  });
  scene.node({ role: 'button', name: 'Reload', id: 'browser.reload', actions: TAP }, layout.reload, () => {
    scene.symbol(symbol('reload', px(22)), centre(layout.reload), palette.accent);
  });
  scene.node(addressFacts(page), layout.address, () => paintAddress(scene, theme, layout.address, page));
  scene.rect({ x: 0, y: layout.bar - 1, width: size.width, height: 1 }, palette.separator);
  const room = pageArea(size, theme);
  const window = pageArea(seen, theme);
  const { card } = page;
  if (!card && page.address === START) return paintStart(scene, theme, size, page.pressedFavourite);
  const name = card ? CARD_NAME : hostOf(page.address);
  scene.node({ role: 'web', name, value: page.address, id: 'browser.page' }, window, () => {
    scene.within(window, () => {
      if (card) card.paint(scene);
      else if (page.isUnreached) paintUnreached(scene, theme, room, page);
      else if (page.share !== undefined) paintProgress(scene, theme, room, page.share);
      else paintPage(scene, theme, room, page);
    });
  });
}

const addressFacts = ({ address, editor }: BrowserPage): NodeFacts => ({
  role: 'textfield',
  name: 'Address',
  value: editor?.text ?? (address === START ? '' : address),
  id: 'browser.address',
  focused: editor !== undefined,
  editable: true,
  actions: TYPE,
});

function paintAddress(scene: Scene, theme: Theme, area: Rect, { address, editor }: BrowserPage): void {
  const { palette, fonts, px } = theme;
  scene.round(area, theme.platform === 'ios' ? px(11) : px(20), editor ? palette.background : palette.pressed);
  const baseline = area.y + Math.round(area.height / 2) + px(5.5);
  const middle = area.x + area.width / 2;
  const room = area.width - px(28);
  if (!editor) {
    const shown = address === START ? 'Search or enter address' : hostOf(address);
    const ink = address === START ? palette.secondary : palette.text;
    scene.text(fit(shown, fonts.body, room), middle, baseline, fonts.body, ink, 'centre');
    return;
  }
  const left = area.x + px(14);
  const before = fitEnd(editor.text.slice(0, editor.caret), fonts.body, room);
  const caret = left + Math.round(fonts.body.width(before));
  scene.within(area, () => {
    const x = left - area.x;
    const line = baseline - area.y;
    const [from, to] = editor.selection;
    if (from < to) {
      const start = before.startsWith('…') ? 0 : fonts.body.width(editor.text.slice(0, from));
      const end = Math.max(fonts.body.width(editor.text.slice(0, to)), start);
      const width = Math.min(Math.round(end - start), room);
      scene.rect({ x: x + Math.round(start), y: px(8), width, height: px(24) }, palette.selection);
    }
    const after = editor.text.slice(editor.caret);
    scene.text(fit(before + after, fonts.body, room + px(14)), x, line, fonts.body, palette.text);
    scene.rect({ x: caret - area.x, y: px(9), width: px(2), height: px(22) }, palette.accent);
  });
}

function paintStart(scene: Scene, theme: Theme, size: Size, pressed: number | undefined): void {
  const { palette, fonts, px } = theme;
  const layout = browserLayout(size, theme);
  const top = layout.favouritesTop - px(20);
  scene.label('Favourites', px(20), top, fonts.heading, palette.text, 'left', { role: 'heading' });
  FAVOURITES.forEach(({ name, hue }, index) => {
    const tile = layout.favourites[index];
    if (!tile) return;
    const side = tile.height - px(28);
    const x = tile.x + Math.round((tile.width - side) / 2);
    const ground = colour(hue);
    const radius = theme.platform === 'ios' ? px(16) : px(28);
    scene.node({ role: 'link', name, id: `browser.favourite.${index + 1}`, actions: TAP }, tile);
    scene.round({ x, y: tile.y, width: side, height: side }, radius, pressed === index ? faded(ground, 0.6) : ground);
    const middle = tile.x + tile.width / 2;
    scene.text(name.charAt(0), middle, tile.y + side / 2 + px(11), fonts.title, palette.onAccent, 'centre');
    scene.text(name, middle, tile.y + side + px(20), fonts.small, palette.text, 'centre');
  });
}

function paintPage(scene: Scene, theme: Theme, room: Size, { address, loads }: BrowserPage): void {
  const { palette, fonts, px } = theme;
  const margin = px(16);
  const turned = room.width > room.height;
  const hero = { x: margin, y: margin, width: room.width - 2 * margin, height: turned ? px(96) : px(180) };
  const host = hostOf(address);
  scene.shadow(hero, px(16), px(6), palette.shadow);
  scene.round(hero, theme.cardRadius, hueOf(host));
  const text = hero.x + px(20);
  const foot = hero.y + hero.height;
  const shown = fit(host, fonts.title, hero.width - px(40));
  const heading = { role: 'heading', name: host } as const;
  scene.label(shown, text, foot - px(44), fonts.title, palette.onAccent, 'left', heading);
  const whole = fit(address, fonts.caption, hero.width - px(40));
  scene.label(whole, text, foot - px(20), fonts.caption, colour(0xffffff, 0.85), 'left', { name: address });
  const card = { x: margin, y: foot + px(16), width: hero.width, height: px(212) };
  scene.round(card, theme.cardRadius, palette.card);
  scene.label('This page stands in for the address', text, card.y + px(36), fonts.strong, palette.text);
  const count = loads === 1 ? 'Loaded once' : `Loaded ${loads} times`;
  scene.label(count, text, card.y + px(60), fonts.caption, palette.secondary);
  const lengths = [1, 0.94, 0.98, 0.86, 0.62];
  lengths.forEach((length, index) => {
    const width = Math.round((card.width - px(40)) * length);
    scene.round({ x: text, y: card.y + px(84) + index * px(24), width, height: px(11) }, px(5), palette.pressed);
  });
}

/** As people know it: a bar under the address that grows, over an empty page. */
function paintProgress(scene: Scene, { palette, px }: Theme, { width }: Size, share: number): void {
  const percent = Math.floor(share * 100);
  const facts = { role: 'other', name: 'Loading', value: `${percent} %`, id: 'browser.progress' } as const;
  scene.node(facts, { x: 0, y: 0, width, height: px(3) }, () => {
    scene.rect({ x: 0, y: 0, width: Math.round((width * percent) / 100), height: px(3) }, palette.accent);
  });
}

function paintUnreached(scene: Scene, theme: Theme, room: Size, { address, isGivenUp }: BrowserPage): void {
  const { palette, fonts, px } = theme;
  const middle = Math.round(room.width / 2);
  const top = Math.round(room.height * 0.28);
  scene.symbol(symbol(isGivenUp ? 'warning' : 'airplane', px(44)), { x: middle, y: top }, palette.secondary);
  const heading = { role: 'heading' } as const;
  const what = isGivenUp ? 'This page does not come' : 'You are offline';
  scene.label(what, middle, top + px(60), fonts.title, palette.text, 'centre', heading);
  const reason = isGivenUp ? 'takes too long to answer.' : 'cannot be reached without a network.';
  const why = fit(`${hostOf(address)} ${reason}`, fonts.caption, room.width - px(40));
  scene.label(why, middle, top + px(88), fonts.caption, palette.secondary, 'centre');
}

/** The host of a web address; for other schemes, the whole address. */
function hostOf(address: string): string {
  return /^https?:\/\/([^/?#\\]+)/i.exec(address)?.[1] ?? address;
}

/** Always the same colour for the same host. */
function hueOf(host: string): Colour {
  const known = FAVOURITES.find(({ address }) => hostOf(address) === host);
  let sum = 0;
  for (const character of host) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return colour((known ?? FAVOURITES[sum % FAVOURITES.length])?.hue ?? 0x3478f6);
}
