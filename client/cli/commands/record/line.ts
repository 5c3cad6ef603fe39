import type { RecordingRecord } from '../../../sdk/files.ts';
import { sizeOf } from '../../progress.ts';

/** One line for a person, with what failed where something did. */
export function lineOf({ id, status, createdAt, durationMs, byteSize, failure }: RecordingRecord): string {
  const parts = [
    id,
    status,
    createdAt,
    durationMs === undefined ? '' : `${(durationMs / 1_000).toFixed(1)} s`,
    byteSize === undefined ? '' : sizeOf(byteSize),
    failure === undefined ? '' : `${failure.code}: ${failure.message}`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}
