import { randomInt } from 'node:crypto';

/** Random for each process, so that clients cannot choose ids that collide. */
const SEED = randomInt(2 ** 31);

/** 32 bits of an id or a name, by FNV-1a and a last stir that lets every character reach the low bits. */
export function hashOfId(id: string): number {
  let hash = SEED;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return hash ^ (hash >>> 13);
}
