import { XWindow } from './x-client.ts';

/**
 * The window that is tapped over VNC, in a process of its own. Like Touch Lab and the page of the control it shows the last press, as soon
 * as it arrives, by a mark, a ring and two lines across the window, with three readings, on the same dark background.
 */
const GROUND = 0x10131c;
const TILE = 0x1c2130;
const TEXT = 0xf4f6fb;
/** The lines, and the mark from its outside to its middle, as they look on the background. */
const LINE = 0x31343b;
const RINGS = [
  { colour: 0x362334, radius: 39 },
  { colour: 0x70405a, radius: 22 },
  { colour: 0xff6fb5, radius: 8 },
] as const;
const RADIUS_MAX = RINGS[0].radius;
/** Where the readings of Touch Lab change: two of the place, and the number of taps. */
const READINGS = [
  { x: 49, y: 256, width: 111, height: 34 },
  { x: 321, y: 256, width: 160, height: 34 },
  { x: 321, y: 370, width: 22, height: 34 },
] as const;

const display = Number(process.argv[2]);
const window = await XWindow.open(display, GROUND);
const { width, height } = window;
const ground = window.pen(0, GROUND);
const line = window.pen(1, LINE);
const tile = window.pen(2, TILE);
const rings = RINGS.map(({ colour, radius }, index) => ({ pen: window.pen(3 + index, colour), radius }));
const text = window.textPen(3 + RINGS.length, TEXT, TILE);
let last: { readonly x: number; readonly y: number } | undefined;
let taps = 0;

function drawLines(pen: number, x: number, y: number): void {
  window.fillRectangle(pen, x, 0, 1, height);
  window.fillRectangle(pen, 0, y, width, 1);
}

function press(x: number, y: number): void {
  if (last) {
    drawLines(ground, last.x, last.y);
    window.fillRectangle(ground, last.x - RADIUS_MAX, last.y - RADIUS_MAX, 2 * RADIUS_MAX, 2 * RADIUS_MAX);
  }
  drawLines(line, x, y);
  taps++;
  const readings = [`${x}, ${y}`, `${(x / width).toFixed(3)}, ${(y / height).toFixed(3)}`, String(taps)];
  for (const [index, area] of READINGS.entries()) {
    window.fillRectangle(tile, area.x, area.y, area.width, area.height);
    window.drawText(text, area.x + 2, area.y + area.height / 2, readings[index] ?? '');
  }
  for (const { pen, radius } of rings) window.fillCircle(pen, x, y, radius);
  last = { x, y };
}

await window.watch({
  exposed: () => void process.stdout.write('shown\n'),
  pressed: (x, y) => window.together(() => press(x, y)),
});
