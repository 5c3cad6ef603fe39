import { Path2D } from '@napi-rs/canvas';
import { drawMask, type Mask } from '../draw/sprite.ts';

/** Strokes or areas on a field of 24 by 24. */
interface Drawing {
  readonly path: string;
  /** Width of the stroke; areas have none. */
  readonly stroke?: number;
}

const DRAWINGS = {
  chevronLeft: { path: 'M15 4 L7.5 12 L15 20', stroke: 2.3 },
  chevronRight: { path: 'M9 5 L16 12 L9 19', stroke: 2.2 },
  arrowLeft: { path: 'M20 12 H5 M11.5 5.5 L5 12 L11.5 18.5', stroke: 2 },
  reload: { path: 'M19.5 12 A7.5 7.5 0 1 1 17 6.4 M17.4 2.6 V6.8 H13.2', stroke: 2 },
  search: { path: 'M16.8 10.6 A6.2 6.2 0 1 1 4.4 10.6 A6.2 6.2 0 1 1 16.8 10.6 Z M15.2 15.2 L20.5 20.5', stroke: 2.1 },
  plus: { path: 'M12 5 V19 M5 12 H19', stroke: 2.2 },
  wifi: {
    path: 'M12 20 L15.1 16.2 A5 5 0 0 0 8.9 16.2 Z M6.6 13.4 A8.6 8.6 0 0 1 17.4 13.4 L19.2 11.2 A11.4 11.4 0 0 0 4.8 11.2 Z M3.1 9.1 A14 14 0 0 1 20.9 9.1 L22.7 6.9 A17 17 0 0 0 1.3 6.9 Z',
  },
  airplane: {
    path: 'M12 2.2 C13 2.2 13.7 3.4 13.7 5 V9.4 L21.6 14.2 V16.4 L13.7 14 V18.6 L16.2 20.4 V22 L12 20.9 L7.8 22 V20.4 L10.3 18.6 V14 L2.4 16.4 V14.2 L10.3 9.4 V5 C10.3 3.4 11 2.2 12 2.2 Z',
  },
  wifiSolid: { path: 'M12 21 L23 7.4 A17.4 17.4 0 0 0 1 7.4 Z' },
  bars: {
    path: 'M2 15.5 H5.4 V20 H2 Z M7.4 12.4 H10.8 V20 H7.4 Z M12.8 8.8 H16.2 V20 H12.8 Z M18.2 5 H21.6 V20 H18.2 Z',
  },
  signalSolid: { path: 'M21.5 3 V21 H3.5 Z' },
  batterySolid: {
    path: 'M9.5 2 H14.5 V4 H16 A1.4 1.4 0 0 1 17.4 5.4 V20.6 A1.4 1.4 0 0 1 16 22 H8 A1.4 1.4 0 0 1 6.6 20.6 V5.4 A1.4 1.4 0 0 1 8 4 H9.5 Z',
  },
  navBack: { path: 'M16.5 5.2 V18.8 L5.8 12 Z', stroke: 2 },
  navHome: { path: 'M18.8 12 A6.8 6.8 0 1 1 5.2 12 A6.8 6.8 0 1 1 18.8 12 Z', stroke: 2 },
  navRecents: { path: 'M6 6 H18 V18 H6 Z', stroke: 2 },
  shift: { path: 'M12 4 L20 12.4 H15.8 V19.6 H8.2 V12.4 H4 Z', stroke: 1.7 },
  shiftFilled: { path: 'M12 3.2 L21.2 13 H16.6 V20.4 H7.4 V13 H2.8 Z' },
  capsLock: { path: 'M12 2.4 L21.2 12 H16.6 V17 H7.4 V12 H2.8 Z M7.4 19 H16.6 V21.4 H7.4 Z' },
  backspace: { path: 'M8.6 5.4 H21 V18.6 H8.6 L2.8 12 Z M11.2 9.2 L16.8 14.8 M16.8 9.2 L11.2 14.8', stroke: 1.7 },
  enter: { path: 'M19.5 6 V12.6 H5 M9.6 8 L5 12.6 L9.6 17.2', stroke: 2 },
  globe: {
    path: 'M21 12 A9 9 0 1 1 3 12 A9 9 0 1 1 21 12 Z M3 12 H21 M12 3 C8 7 8 17 12 21 M12 3 C16 7 16 17 12 21',
    stroke: 1.6,
  },
  keyboardDown: {
    path: 'M3.5 4.5 H20.5 V14.5 H3.5 Z M7 8 H7.6 M11.7 8 H12.3 M16.4 8 H17 M8 11.4 H16 M9.5 18 L12 20.5 L14.5 18',
    stroke: 1.6,
  },
  speaker: {
    path: 'M3.5 9.4 H7.4 L12.6 4.8 V19.2 L7.4 14.6 H3.5 Z M15.8 8.6 A4.8 4.8 0 0 1 15.8 15.4 M18.4 5.8 A8.8 8.8 0 0 1 18.4 18.2',
    stroke: 1.9,
  },
  bell: { path: 'M6 16.6 V10.8 A6 6 0 0 1 18 10.8 V16.6 L19.6 18 H4.4 Z M10 20.6 H14', stroke: 1.9 },
  bellOff: {
    path: 'M6 16.6 V10.8 A6 6 0 0 1 18 10.8 V16.6 L19.6 18 H4.4 Z M10 20.6 H14 M3.6 3.6 L20.4 20.4',
    stroke: 1.9,
  },
  padlock: { path: 'M6 10.6 H18 V20.4 H6 Z M8.4 10.6 V7.4 A3.6 3.6 0 0 1 15.6 7.4 V10.6', stroke: 2 },
  moon: { path: 'M19.6 14.4 A8 8 0 1 1 9.6 4.4 A6.6 6.6 0 0 0 19.6 14.4 Z', stroke: 2 },
  sliders: { path: 'M4 7.5 H20 M4 16.5 H20 M9 4.8 V10.2 M15 13.8 V19.2', stroke: 2 },
  power: { path: 'M12 3.2 V11.4 M7.2 6.2 A7.6 7.6 0 1 0 16.8 6.2', stroke: 2.1 },
  warning: { path: 'M12 4 L21.4 20 H2.6 Z M12 9.6 V14.4 M12 17 V17.2', stroke: 1.9 },
  info: { path: 'M21 12 A9 9 0 1 1 3 12 A9 9 0 1 1 21 12 Z M12 11 V16.6 M12 7.4 V7.6', stroke: 1.9 },
  close: { path: 'M6 6 L18 18 M18 6 L6 18', stroke: 2.2 },
  sparkle: {
    path: 'M12 2.5 C12.8 8.4 15.6 11.2 21.5 12 C15.6 12.8 12.8 15.6 12 21.5 C11.2 15.6 8.4 12.8 2.5 12 C8.4 11.2 11.2 8.4 12 2.5 Z',
  },
} as const satisfies Readonly<Record<string, Drawing>>;

export type SymbolName = keyof typeof DRAWINGS;

const cache = new Map<string, Mask>();

/** A symbol as a mask of `size` by `size` pixels; shared by all phones of the thread. */
export function symbol(name: SymbolName, size: number): Mask {
  const key = `${name}/${size}`;
  const known = cache.get(key);
  if (known) return known;
  const drawing: Drawing = DRAWINGS[name];
  const mask = drawMask(size, size, (context) => {
    context.scale(size / 24, size / 24);
    const path = new Path2D(drawing.path);
    if (drawing.stroke === undefined) return context.fill(path);
    context.lineWidth = drawing.stroke;
    context.lineCap = 'round';
    context.lineJoin = 'round';
    context.stroke(path);
  });
  cache.set(key, mask);
  return mask;
}
