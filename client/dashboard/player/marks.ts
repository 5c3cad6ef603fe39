import { element } from '../../page/element.ts';
import { inputWords, milliseconds } from '../ui/input-words.ts';
import type { RecordedInput } from './inputs.ts';

/** Places of the time line that can have a mark; a mark of a failure hides others of the same place. */
const PLACES = 400;

/** Marks of the inputs on a time line: each tells its action, how long it took and how it ended. */
export function inputMarks(
  inputs: readonly RecordedInput[],
  durationMs: number,
  seek: (ms: number) => void,
): HTMLElement[] {
  const marked = new Map<number, RecordedInput>();
  for (const input of inputs) {
    const place = Math.round((Math.min(durationMs, Math.max(0, input.atMs)) / durationMs) * PLACES);
    if (input.status !== 'completed' || !marked.has(place)) marked.set(place, input);
  }
  return [...marked].map(([place, { action, fields, atMs, status, durationMs: tookMs }]) => {
    const took = tookMs === undefined ? '' : `, ${milliseconds(tookMs)}`;
    const title = `${inputWords(action, fields)}${took}, ${status.replaceAll('_', ' ')}`;
    const mark = element('i', { class: `input ${status}`, title });
    mark.addEventListener('click', () => seek(atMs));
    mark.style.left = `${(place / PLACES) * 100}%`;
    return mark;
  });
}

/** Marks of what happened to the recording itself. */
export function eventMarks(
  events: readonly { readonly type: string; readonly at: string }[],
  startedAt: string | undefined,
  durationMs: number,
): HTMLElement[] {
  if (startedAt === undefined) return [];
  return events.flatMap(({ type, at }) => {
    const share = (Date.parse(at) - Date.parse(startedAt)) / durationMs;
    if (share < 0 || share > 1) return [];
    const mark = element('i', { title: type.replaceAll('_', ' ') });
    mark.style.left = `${share * 100}%`;
    return [mark];
  });
}
