import { XWindow } from './x-client.ts';

/**
 * The window that is tapped over VNC, in a process of its own. Like Touch Lab and the page of the control it shows a mark at
 * the last press, on the same dark background, and paints it as soon as the press arrives.
 */
const GROUND = 0x10131c;
const MARK = 0xff6fb5;
const MARK_RADIUS = 39;

const display = Number(process.argv[2]);
const window = await XWindow.open(display, GROUND);
const [ground, mark] = [window.pen(0, GROUND), window.pen(1, MARK)];
let last: { readonly x: number; readonly y: number } | undefined;

await window.watch({
  exposed: () => void process.stdout.write('shown\n'),
  pressed(x, y) {
    if (last)
      window.fillRectangle(ground, last.x - MARK_RADIUS, last.y - MARK_RADIUS, 2 * MARK_RADIUS, 2 * MARK_RADIUS);
    window.fillCircle(mark, x, y, MARK_RADIUS);
    last = { x, y };
  },
});
