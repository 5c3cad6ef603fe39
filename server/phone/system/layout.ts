import type { Rect } from '../../device/driver.ts';
import type { PhoneState } from '../environment.ts';
import type { Theme } from '../theme.ts';

/** Areas of the parts of the system and of the foreground app in the picture. */
export interface Layout {
  readonly picture: Rect;
  readonly turned: boolean;
  readonly statusBar: Rect;
  /** The home indicator on iOS, the three buttons on Android. */
  readonly navigationBar: Rect;
  readonly keyboard: Rect | undefined;
  /** The remaining area, which the app gets. */
  readonly viewport: Rect;
}

interface Heights {
  readonly status: number;
  readonly navigation: number;
  readonly keyboard: number;
}

const POINTS: Readonly<Record<Theme['platform'], readonly [portrait: Heights, turned: Heights]>> = {
  ios: [
    { status: 50, navigation: 26, keyboard: 228 },
    { status: 26, navigation: 20, keyboard: 168 },
  ],
  android: [
    { status: 34, navigation: 44, keyboard: 226 },
    { status: 28, navigation: 36, keyboard: 172 },
  ],
};

/** The parts of the phone's state that determine its layout. */
type Shape = Readonly<Pick<PhoneState, 'size' | 'keyboardShown'>>;

/** With `immersive` the app gets the whole picture, except for the keyboard. */
export function layoutOf(state: Shape, theme: Theme, immersive: boolean): Layout {
  const { width, height } = state.size;
  const turned = width > height;
  const points = POINTS[theme.platform][turned ? 1 : 0];
  const status = theme.px(points.status);
  const navigation = theme.px(points.navigation);
  const keyboardTop = height - navigation - theme.px(points.keyboard);
  const keyboard = state.keyboardShown
    ? { x: 0, y: keyboardTop, width, height: height - navigation - keyboardTop }
    : undefined;
  // On iOS content extends below the home indicator, which still gets the touches that begin there.
  const bottom = keyboard ? keyboardTop : theme.platform === 'ios' ? height : height - navigation;
  const picture = { x: 0, y: 0, width, height };
  return {
    picture,
    turned,
    statusBar: { x: 0, y: 0, width, height: status },
    navigationBar: { x: 0, y: height - navigation, width, height: navigation },
    keyboard,
    viewport: immersive ? picture : { x: 0, y: status, width, height: bottom - status },
  };
}

/** Caches the last layout, since nearly every touch and every picture needs the same one again. */
export class LayoutMemo {
  readonly #theme: Theme;
  #shape: Shape | undefined;
  #immersive = false;
  #layout: Layout | undefined;

  constructor(theme: Theme) {
    this.#theme = theme;
  }

  /** Returns the same object as long as nothing that it depends on has changed. */
  of(shape: Shape, immersive: boolean): Layout {
    const known = this.#shape;
    const { size, keyboardShown } = shape;
    if (
      this.#layout === undefined ||
      known?.keyboardShown !== keyboardShown ||
      known.size.width !== size.width ||
      known.size.height !== size.height ||
      this.#immersive !== immersive
    ) {
      this.#shape = { size: { ...size }, keyboardShown };
      this.#immersive = immersive;
      this.#layout = layoutOf(shape, this.#theme, immersive);
    }
    return this.#layout;
  }
}
