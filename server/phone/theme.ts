import type { Platform } from '@runcloud/protocol';
import { type Colour, colour } from './draw/colour.ts';
import type { FontWeight } from './text/faces.ts';
import { type Font, font } from './text/font.ts';

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
  readonly palette: Palette;
  readonly fonts: Fonts;
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

/** The theme of a platform; `scale` is pixels per point. */
export function createTheme(platform: Platform, scale: number): Theme {
  const styles = platform === 'ios' ? IOS_STYLES : ANDROID_STYLES;
  const px = (points: number) => Math.round(points * scale);
  const style = ([weight, points]: Style) => font(weight, px(points));
  return {
    platform,
    px,
    palette: platform === 'ios' ? IOS : ANDROID,
    fonts: {
      huge: style(styles.huge),
      title: style(styles.title),
      heading: style(styles.heading),
      body: style(styles.body),
      strong: style(styles.strong),
      label: style(styles.label),
      caption: style(styles.caption),
      small: style(styles.small),
      status: style(styles.status),
      key: style(styles.key),
    },
    cardRadius: px(platform === 'ios' ? 12 : 22),
  };
}
