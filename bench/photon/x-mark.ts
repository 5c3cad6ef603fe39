import { READINGS, RINGS, SCREEN_COLOURS } from './marked-screen.ts';
import { XWindow } from './x-client.ts';

/**
 * The window that is tapped over VNC, in a process of its own. Like Touch Lab and the page of the control it shows the last press, as soon
 * as it arrives.
 */
const RADIUS_MAX = RINGS[0].radius;

const display = Number(process.argv[2]);
const window = await XWindow.open(display, SCREEN_COLOURS.ground);
const { width, height } = window;
const ground = window.pen(0, SCREEN_COLOURS.ground);
const line = window.pen(1, SCREEN_COLOURS.line);
const tile = window.pen(2, SCREEN_COLOURS.tile);
const rings = RINGS.map(({ colour, radius }, index) => ({ pen: window.pen(3 + index, colour), radius }));
const text = window.textPen(3 + RINGS.length, SCREEN_COLOURS.text, SCREEN_COLOURS.tile);
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
