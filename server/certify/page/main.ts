import { bitOf, bitRects, CARD_COLOURS, cornerRects } from '../../test-card/layout.ts';
import { CARD_MODIFIERS, encodeReadings } from '../../test-card/readings.ts';
import { type CardPoint, TestCard } from '../../test-card/test-card.ts';

/** The test card in a real browser. It sends nothing anywhere: what it received is told by its picture alone. */

const VISITS = 'runcloud-test-card-visits';
const ratio = window.devicePixelRatio;
const nonce = Number(new URLSearchParams(location.search).get('n'));
const canvas = document.querySelector('canvas') as HTMLCanvasElement;
const field = document.querySelector('textarea') as HTMLTextAreaElement;
const context = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;

const visits = Number(localStorage.getItem(VISITS) ?? 0) + 1;
localStorage.setItem(VISITS, String(visits));

const card = new TestCard({ nonce, visits, grain: Math.max(1, Math.ceil(ratio)), slop: 10 * ratio });

const css = (rgb: number): string => `#${rgb.toString(16).padStart(6, '0')}`;

function paint(): void {
  const { width, height } = canvas;
  const fill = (rgb: number, area: { x: number; y: number; width: number; height: number }) => {
    context.fillStyle = css(rgb);
    context.fillRect(area.x, area.y, area.width, area.height);
  };
  fill(CARD_COLOURS.ground, { x: 0, y: 0, width, height });
  for (const corner of cornerRects(canvas)) fill(CARD_COLOURS.corner, corner);
  const bytes = encodeReadings(card.readings);
  for (const [bit, cell] of bitRects(canvas).entries()) {
    fill(bitOf(bytes, bit) ? CARD_COLOURS.one : CARD_COLOURS.zero, cell);
  }
  for (const { finger, x, y } of card.marks) fill(CARD_COLOURS.fingers[finger] ?? 0, { x, y, width: 1, height: 1 });
}

/** The page as it is without a keyboard: one that comes up lies over the card, and must not move it. */
function fit(): void {
  const width = Math.round(innerWidth * ratio);
  const height = Math.round(innerHeight * ratio);
  if (width === canvas.width && height <= canvas.height) return;
  canvas.width = width;
  canvas.height = height;
  canvas.style.width = `${width / ratio}px`;
  canvas.style.height = `${height / ratio}px`;
  card.forgetMarks();
  paint();
}

const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): CardPoint => ({
  x: Math.floor(clientX * ratio),
  y: Math.floor(clientY * ratio),
});

/** The order in which the fingers came, by their identifiers: a browser lists them in any order. */
const fingers: number[] = [];
const places = new Map<number, CardPoint>();

function touched(event: TouchEvent): void {
  event.preventDefault();
  for (const touch of event.changedTouches) {
    if (!fingers.includes(touch.identifier)) fingers.push(touch.identifier);
    places.set(touch.identifier, pointOf(touch));
  }
  const points = fingers.map((finger) => places.get(finger) ?? { x: 0, y: 0 });
  const isOver = event.touches.length === 0;
  const phase = event.type === 'touchstart' ? 'begin' : event.type === 'touchmove' || !isOver ? 'move' : 'end';
  card.touch(event.type === 'touchcancel' ? 'cancel' : phase, points, event.timeStamp);
  if (isOver) {
    fingers.length = 0;
    places.clear();
    field.focus({ preventScroll: true });
  }
  paint();
}

for (const name of ['touchstart', 'touchmove', 'touchend', 'touchcancel'] as const) {
  addEventListener(name, touched, { passive: false });
}
addEventListener('contextmenu', (event) => event.preventDefault());
addEventListener('resize', fit);

addEventListener('keydown', (event) => {
  if (['Shift', 'Control', 'Alt', 'Meta', 'CapsLock'].includes(event.key)) return;
  const { shiftKey, ctrlKey, altKey, metaKey } = event;
  const held = [shiftKey, ctrlKey, altKey, metaKey];
  card.key(
    event.key,
    CARD_MODIFIERS.filter((_name, index) => held[index]),
  );
  paint();
});

let known = '';
field.addEventListener('input', () => {
  // Typed text comes at the end; anything else that happens to the field shows as a wrong text.
  if (field.value.startsWith(known)) card.type(field.value.slice(known.length));
  else card.type('\ufffd');
  known = field.value;
  paint();
});

fit();
