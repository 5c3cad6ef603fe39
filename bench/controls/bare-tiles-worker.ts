import { parentPort } from 'node:worker_threads';
import jpeg from '@julusian/jpeg-turbo';
import { QUALITY, READINGS, RINGS, SCREEN_COLOURS, SCREEN_SIZE } from '../photon/marked-screen.ts';
import { type BareTap, type BareTiles, WHOLE } from './bare-screen-messages.ts';

/**
 * The device and the encoder of the bare screen: paints the mark of a tap into a picture, and compresses what has changed with the library
 * that the service uses.
 */
const { width, height } = SCREEN_SIZE;

const BLOCK = 8;
const HEAD_BYTES = 12;

interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WHOLE_AREA: Area = { x: 0, y: 0, width, height };
const words = new Uint32Array(width * height);
const pixels = Buffer.from(words.buffer);
const raw = Buffer.alloc(pixels.length);
const scratch = Buffer.alloc(jpeg.bufferSize({ width, height, subsampling: jpeg.SAMP_444 }));
let last: BareTap | undefined;
let taps = 0;

/** 0xRRGGBB as an opaque word of RGBA, little-endian. */
const word = (colour: number): number =>
  (0xff000000 | ((colour & 0xff) << 16) | (colour & 0xff00) | (colour >> 16)) >>> 0;
const GROUND = word(SCREEN_COLOURS.ground);
const LINE = word(SCREEN_COLOURS.line);
const TILE = word(SCREEN_COLOURS.tile);
const TEXT = word(SCREEN_COLOURS.text);
const rings = RINGS.map(({ colour, radius }) => ({ colour: word(colour), radius }));
words.fill(GROUND);

function fill({ x, y, width: columns, height: rows }: Area, colour: number): void {
  for (let row = y; row < y + rows; row++) words.fill(colour, row * width + x, row * width + x + columns);
}

function fillCircle(x: number, y: number, radius: number, colour: number): void {
  for (let row = -radius; row < radius; row++) {
    const half = Math.floor(Math.sqrt(radius * radius - row * row));
    words.fill(colour, (y + row) * width + x - half, (y + row) * width + x + half);
  }
}

const linesAt = ({ x, y }: BareTap): Area[] => [
  { x, y: 0, width: 1, height },
  { x: 0, y, width, height: 1 },
];

function markAt({ x, y }: BareTap): Area {
  const { radius } = RINGS[0];
  return { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius };
}

/** Strokes as wide and as far apart as those of digits. */
function paintReading(area: Area): void {
  fill(area, TILE);
  for (let stroke = 0; stroke * 6 + 2 < area.width; stroke++) {
    if ((taps >> (stroke % 8)) & 1) fill({ ...area, x: area.x + stroke * 6, width: 2 }, TEXT);
  }
}

/** Paints a tap, and tells what has changed. */
function paint(tap: BareTap): Area[] {
  const changed = [...READINGS, markAt(tap), ...linesAt(tap)];
  if (last) {
    for (const area of [markAt(last), ...linesAt(last)]) {
      fill(area, GROUND);
      changed.push(area);
    }
  }
  last = tap;
  taps++;
  for (const area of linesAt(tap)) fill(area, LINE);
  for (const area of READINGS) paintReading(area);
  for (const { colour, radius } of rings) fillCircle(tap.x, tap.y, radius, colour);
  return changed;
}

/** The JPEG's blocks that an area touches. */
function onBlocks(area: Area): Area {
  const [x, y] = [Math.floor(area.x / BLOCK) * BLOCK, Math.floor(area.y / BLOCK) * BLOCK];
  const right = Math.min(width, Math.ceil((area.x + area.width) / BLOCK) * BLOCK);
  const bottom = Math.min(height, Math.ceil((area.y + area.height) / BLOCK) * BLOCK);
  return { x, y, width: right - x, height: bottom - y };
}

function compress(area: Area): Buffer {
  const rowBytes = area.width * 4;
  for (let row = 0; row < area.height; row++) {
    const from = ((area.y + row) * width + area.x) * 4;
    raw.set(pixels.subarray(from, from + rowBytes), row * rowBytes);
  }
  const { FORMAT_RGBA: format, SAMP_444: subsampling } = jpeg;
  const size = { width: area.width, height: area.height };
  return jpeg.compressSync(raw, scratch, { ...size, format, quality: QUALITY, subsampling });
}

function tileOf(changed: Area): Buffer {
  const area = onBlocks(changed);
  const image = compress(area);
  const tile = Buffer.alloc(HEAD_BYTES + image.length);
  for (const [index, value] of [area.x, area.y, area.width, area.height].entries())
    tile.writeUInt16LE(value, index * 2);
  tile.writeUInt32LE(image.length, 8);
  image.copy(tile, HEAD_BYTES);
  return tile;
}

parentPort?.on('message', (tap: BareTap) => {
  const changed = tap.x === WHOLE ? [WHOLE_AREA] : paint(tap);
  const bytes = new Uint8Array(Buffer.concat(changed.map(tileOf)));
  parentPort?.postMessage({ socketId: tap.socketId, bytes } satisfies BareTiles, [bytes.buffer]);
});
// The first message says that it is ready.
parentPort?.postMessage({ socketId: 0, bytes: new Uint8Array() } satisfies BareTiles);
