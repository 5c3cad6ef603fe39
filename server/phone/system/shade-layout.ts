import type { Rect } from '../../device/driver.ts';
import type { SymbolName } from '../art/symbols.ts';
import type { Environment, Notice, ShadeName } from '../environment.ts';
import { contains, type Pixel } from '../geometry.ts';
import type { Layout } from './layout.ts';

export type TileAction = 'darkMode' | 'silent' | 'lock' | 'settings';
/** A notification stands for opening its app. */
export type ShadeAction = TileAction | 'clear' | Notice;

export interface Tile {
  readonly action: TileAction;
  readonly name: string;
  readonly icon: SymbolName;
  /** Whether what it turns on and off is on. */
  readonly isOn: boolean;
  readonly area: Rect;
}

export interface ShadeLayout {
  readonly tiles: readonly Tile[];
  /** The slider of the volume; it stands upright on iOS. */
  readonly slider: Rect | undefined;
  /** The list of notices, as high as the picture allows. */
  readonly notices: Rect | undefined;
  /** The button that clears them, if there are any. */
  readonly clear: Rect | undefined;
}

type TileLook = Omit<Tile, 'area'>;

function tileLooks({ state }: Environment): readonly TileLook[] {
  const ringing: SymbolName = state.silent ? 'bellOff' : 'bell';
  return [
    { action: 'darkMode', name: 'Dark mode', icon: 'moon', isOn: state.appearance === 'dark' },
    { action: 'silent', name: 'Silent', icon: ringing, isOn: state.silent },
    { action: 'lock', name: 'Lock', icon: 'padlock', isOn: false },
    { action: 'settings', name: 'Settings', icon: 'sliders', isOn: false },
  ];
}

/** Places what a shade shows when it is all the way down. */
export function shadeLayout(kind: ShadeName, environment: Environment, layout: Layout): ShadeLayout {
  const { platform } = environment;
  if (platform === 'android') return androidShade(environment, layout);
  return kind === 'controlCentre' ? controlCentre(environment, layout) : coverSheet(environment, layout);
}

function controlCentre(environment: Environment, { picture, statusBar }: Layout): ShadeLayout {
  const { px } = environment.theme;
  const [side, gap] = [px(76), px(14)];
  const x = picture.width - px(24) - 3 * side - 2 * gap;
  const y = statusBar.height + px(16);
  const tiles = tileLooks(environment).map((look, index) => ({
    ...look,
    area: { x: x + (index % 2) * (side + gap), y: y + (index >> 1) * (side + gap), width: side, height: side },
  }));
  const slider = { x: x + 2 * (side + gap), y, width: side, height: 2 * side + gap };
  return { tiles, slider, notices: undefined, clear: undefined };
}

function coverSheet(environment: Environment, { picture, turned }: Layout): ShadeLayout {
  const { px } = environment.theme;
  const width = Math.min(picture.width - px(32), px(420));
  const top = Math.round(picture.height * 0.1) + px(turned ? 100 : 150);
  const notices = { x: Math.round((picture.width - width) / 2), y: top, width, height: picture.height - top - px(90) };
  return { tiles: [], slider: undefined, notices, clear: clearButton(environment, notices) };
}

function androidShade(environment: Environment, { picture, statusBar, navigationBar, turned }: Layout): ShadeLayout {
  const { px } = environment.theme;
  const [margin, gap] = [px(16), px(8)];
  const columns = turned ? 4 : 2;
  const width = Math.floor((picture.width - 2 * margin - gap * (columns - 1)) / columns);
  const height = px(turned ? 52 : 64);
  const y = statusBar.height + px(turned ? 4 : 52);
  const tiles = tileLooks(environment).map((look, index) => ({
    ...look,
    area: {
      x: margin + (index % columns) * (width + gap),
      y: y + Math.floor(index / columns) * (height + gap),
      width,
      height,
    },
  }));
  const below = y + (4 / columns) * (height + gap);
  const slider = { x: margin, y: below + px(4), width: picture.width - 2 * margin, height: px(44) };
  const top = slider.y + slider.height + px(16);
  const notices = { x: margin, y: top, width: slider.width, height: navigationBar.y - top - px(20) };
  return { tiles, slider, notices, clear: clearButton(environment, notices) };
}

function clearButton({ theme, state }: Environment, notices: Rect): Rect | undefined {
  if (state.notices.length === 0) return undefined;
  const [width, height] = [theme.px(96), theme.px(40)];
  return { x: notices.x + notices.width - width, y: notices.y, width, height };
}

/** The notifications that there is room for, newest first. */
export function noticeCards({ theme, state }: Environment, area: Rect): readonly { notice: Notice; card: Rect }[] {
  const { px } = theme;
  const [height, gap] = [px(66), px(8)];
  const room = Math.max(0, Math.floor((area.height - px(44)) / (height + gap)));
  return state.notices.slice(0, room).map((notice, index) => ({
    notice,
    card: { x: area.x, y: area.y + px(44) + index * (height + gap), width: area.width, height },
  }));
}

/** The effect of a tap on a shade, if it has one. */
export function shadeActionAt(
  { tiles, clear, notices }: ShadeLayout,
  environment: Environment,
  at: Pixel,
): ShadeAction | undefined {
  if (clear && contains(clear, at)) return 'clear';
  const touched = notices && noticeCards(environment, notices).find(({ card }) => contains(card, at));
  if (touched?.notice.app !== undefined) return touched.notice;
  return tiles.find(({ area }) => contains(area, at))?.action;
}
