import type { Guest } from './guest.ts';
import type { XcrunAnswer } from './xcrun-answer.ts';

/** Degrees in decimals; a minus of their own does not make them an option. */
const POINT = /^(-?[0-9]+(?:\.[0-9]+)?),(-?[0-9]+(?:\.[0-9]+)?)$/;

export function setLocation(guest: Guest, [verb, ...words]: readonly string[]): XcrunAnswer {
  const [, latitude, longitude] = POINT.exec(words[0] ?? '') ?? [];
  clearInterval(guest.moving);
  if (verb === 'clear' && words.length === 0) guest.phone.location = undefined;
  else if (verb === 'start') return startRoute(guest, words);
  else if (verb === 'set' && latitude !== undefined && words.length === 1) {
    guest.phone.location = { latitude: Number(latitude), longitude: Number(longitude) };
  } else return { exitCode: 64, stderr: 'Usage: simctl location <device> <action> [<arguments>]\n' };
  return {};
}

/**
 * `start [--speed=<metres/second>] [--distance=<metres>|--interval=<seconds>] <lat,lon> <lat,lon> ...`, as `simctl help location` has it:
 * at 20 m/s, told each second, if nothing is said.
 */
function startRoute(guest: Guest, words: readonly string[]): XcrunAnswer {
  const usage = { exitCode: 64, stderr: 'Usage: simctl location <device> <action> [<arguments>]\n' };
  const optionOf = (name: string, usual: number) => {
    const given = words.find((word) => word.startsWith(`--${name}=`));
    return given === undefined ? usual : Number(given.slice(name.length + 3));
  };
  const points = words.filter((word) => !word.startsWith('--')).map((word) => POINT.exec(word)?.slice(1).map(Number));
  const [speed, everyS] = [optionOf('speed', 20), optionOf('interval', 1)];
  if (points.length < 2 || points.some((point) => !point) || !(speed > 0) || !(everyS > 0)) return usage;
  const way = points as [number, number][];
  const METRES_OF_DEGREE = 111_195;
  const startedMs = performance.now();
  const tell = () => {
    let left = ((performance.now() - startedMs) / 1_000) * speed;
    for (const [index, [latitude, longitude]] of way.entries()) {
      const [north, east] = way[index + 1] ?? [latitude, longitude];
      const across = Math.cos((latitude * Math.PI) / 180);
      const long = METRES_OF_DEGREE * Math.hypot(north - latitude, (east - longitude) * across);
      if (left < long || index === way.length - 1) {
        const share = long === 0 ? 0 : left / long;
        guest.phone.location = {
          latitude: latitude + (north - latitude) * share,
          longitude: longitude + (east - longitude) * share,
        };
        return;
      }
      left -= long;
    }
  };
  tell();
  guest.moving = setInterval(tell, everyS * 1_000).unref();
  return {};
}
