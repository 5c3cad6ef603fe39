import type { Platform } from '@runcloud/protocol';
import { type Colour, colour } from './draw/colour.ts';
import type { FontWeight } from './text/faces.ts';
import { type Font, font } from './text/font.ts';

/** Whether the phone shows dark signs on light grounds or the other way round. */
export type Appearance = 'light' | 'dark';

/** Colours that apps and system share. */
export interface Palette {
  readonly background: Colour;
  readonly grouped: Colour;
  readonly card: Colour;
  readonly pressed: Colour;
  readonly text: Colour;
  readonly secondary: Colour;
  readonly accent: Colour;
  readonly onAccent: Colour;
  readonly separator: Colour;
  readonly selection: Colour;
  readonly shadow: Colour;
}

/** Text styles, from large to small. */
export interface Fonts {
  readonly huge: Font;
  readonly title: Font;
  readonly heading: Font;
  readonly body: Font;
  readonly strong: Font;
  readonly label: Font;
  readonly caption: Font;
  readonly small: Font;
  readonly status: Font;
  readonly key: Font;
}

/** The look of one platform at one scale. */
export interface Theme {
  readonly platform: Platform;
  /** Converts points (iOS) or density-independent pixels (Android) to whole pixels. */
  px(points: number): number;
  /** The colours of the appearance in force. */
  readonly palette: Palette;
  readonly appearance: Appearance;
  /** In the size of text that is in force. */
  readonly fonts: Fonts;
  /** Pixels of a line of text that takes as many points at the usual size. */
  line(points: number): number;
  /** Corner radius of cards, in pixels. */
  readonly cardRadius: number;
}

const IOS: Palette = {
  background: colour(0xffffff),
  grouped: colour(0xf2f2f7),
  card: colour(0xffffff),
  pressed: colour(0xe5e5ea),
  text: colour(0x111114),
  secondary: colour(0x85858b),
  accent: colour(0x007aff),
  onAccent: colour(0xffffff),
  separator: colour(0xd8d8dc),
  selection: colour(0x007aff, 0.22),
  shadow: colour(0x000000, 0.14),
};

const IOS_DARK: Palette = {
  background: colour(0x000000),
  grouped: colour(0x000000),
  card: colour(0x1c1c1e),
  pressed: colour(0x2c2c2e),
  text: colour(0xf2f2f5),
  secondary: colour(0x98989f),
  accent: colour(0x0a84ff),
  onAccent: colour(0xffffff),
  separator: colour(0x38383a),
  selection: colour(0x0a84ff, 0.35),
  shadow: colour(0x000000, 0.4),
};

const ANDROID: Palette = {
  background: colour(0xfbf8fd),
  grouped: colour(0xf4eff7),
  card: colour(0xfefbff),
  pressed: colour(0xe6deee),
  text: colour(0x1c1b1f),
  secondary: colour(0x67636d),
  accent: colour(0x5b4bb5),
  onAccent: colour(0xffffff),
  separator: colour(0xddd6e2),
  selection: colour(0x5b4bb5, 0.22),
  shadow: colour(0x1c1b1f, 0.12),
};

const ANDROID_DARK: Palette = {
  background: colour(0x141218),
  grouped: colour(0x141218),
  card: colour(0x211f26),
  pressed: colour(0x36343b),
  text: colour(0xe6e0e9),
  secondary: colour(0xa5a0ab),
  accent: colour(0xc5bdff),
  onAccent: colour(0xffffff),
  separator: colour(0x3b383e),
  selection: colour(0xc5bdff, 0.3),
  shadow: colour(0x000000, 0.4),
};

const PALETTES: Readonly<Record<Platform, Readonly<Record<Appearance, Palette>>>> = {
  ios: { light: IOS, dark: IOS_DARK },
  android: { light: ANDROID, dark: ANDROID_DARK },
};

type Style = readonly [weight: FontWeight, points: number];

const IOS_STYLES: Readonly<Record<keyof Fonts, Style>> = {
  huge: [500, 58],
  title: [700, 32],
  heading: [600, 20],
  body: [400, 16.5],
  strong: [600, 16.5],
  label: [500, 14],
  caption: [400, 13],
  small: [500, 11.5],
  status: [600, 15.5],
  key: [400, 22],
};

const ANDROID_STYLES: Readonly<Record<keyof Fonts, Style>> = {
  huge: [400, 60],
  title: [400, 30],
  heading: [500, 20],
  body: [400, 16],
  strong: [500, 16],
  label: [500, 14],
  caption: [400, 13],
  small: [500, 12],
  status: [500, 13],
  key: [400, 21],
};

/** Of the text of the system and its apps; beyond them it would not fit into its places. */
export const TEXT_SCALES = { min: 0.8, max: 1.5 } as const;

/** What a person sets. */
interface Look {
  readonly appearance: Appearance;
  /** Multiple of the usual size of text. */
  readonly textScale: number;
}
const USUAL: Look = { appearance: 'light', textScale: 1 };

/** The theme of a platform; `scale` is pixels per point, `inForce` tells what the phone is set to. */
export function createTheme(platform: Platform, scale: number, inForce: () => Look = () => USUAL): Theme {
  const styles = platform === 'ios' ? IOS_STYLES : ANDROID_STYLES;
  const px = (points: number) => Math.round(points * scale);
  const fontsAt = (times: number): Fonts => {
    const fixed = ([weight, points]: Style) => font(weight, px(points));
    const style = ([weight, points]: Style) => font(weight, px(points * times));
    return {
      // Those of clocks, of the status bar and of keys stay as they are, as on phones.
      huge: fixed(styles.huge),
      status: fixed(styles.status),
      key: fixed(styles.key),
      title: style(styles.title),
      heading: style(styles.heading),
      body: style(styles.body),
      strong: style(styles.strong),
      label: style(styles.label),
      caption: style(styles.caption),
      small: style(styles.small),
    };
  };
  let made = { at: 1, fonts: fontsAt(1) };
  return {
    platform,
    px,
    get palette() {
      return PALETTES[platform][inForce().appearance];
    },
    get appearance() {
      return inForce().appearance;
    },
    get fonts() {
      if (made.at !== inForce().textScale) made = { at: inForce().textScale, fonts: fontsAt(inForce().textScale) };
      return made.fonts;
    },
    line: (points) => px(points * inForce().textScale),
    cardRadius: px(platform === 'ios' ? 12 : 22),
  };
}
