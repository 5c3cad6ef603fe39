import jpeg from '@julusian/jpeg-turbo';
import { QUALITY, SCREEN_SIZE } from '../photon/marked-screen.ts';
import { type Area, WHOLE_AREA } from './bare-painter.ts';
import { paintTap, pixels } from './bare-pixels.ts';
import { WHOLE } from './bare-screen-messages.ts';
import { answerTaps } from './bare-screen-worker.ts';

/** Compresses what a tap has changed by the library that the service uses. */
const { width, height } = SCREEN_SIZE;

const BLOCK = 8;
const HEAD_BYTES = 12;

const raw = Buffer.alloc(pixels.length);
const scratch = Buffer.alloc(jpeg.bufferSize({ width, height, subsampling: jpeg.SAMP_444 }));

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

answerTaps((tap) => {
  const changed = tap.x === WHOLE ? [WHOLE_AREA] : paintTap(tap);
  return Buffer.concat(changed.map(tileOf));
});
