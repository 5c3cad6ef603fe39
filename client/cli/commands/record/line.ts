import type { RecordingRecord } from '../../../sdk/files.ts';
import type { View } from '../../cli.ts';
import { sizeOf } from '../../progress.ts';
import { ageOf } from '../../terminal/age.ts';
import { facts } from '../../terminal/facts.ts';
import { type Line, red } from '../../terminal/line.ts';
import { statusSpan } from '../../terminal/status.ts';

export const lengthOf = (durationMs: number | undefined): string | undefined =>
  durationMs === undefined ? undefined : `${(durationMs / 1_000).toFixed(1)} s`;

/** One line for a program, with what failed where something did. */
export function lineOf({ id, status, createdAt, durationMs, byteSize, failure }: RecordingRecord): string {
  const parts = [
    id,
    status,
    createdAt,
    lengthOf(durationMs) ?? '',
    byteSize === undefined ? '' : sizeOf(byteSize),
    failure === undefined ? '' : `${failure.code}: ${failure.message}`,
  ];
  return parts.filter((part) => part !== '').join('  ');
}

/** Everything of a recording that a person asks for. */
export const recordingFacts = (
  { id, status, createdAt, durationMs, byteSize, failure, retentionExpiresAt }: RecordingRecord,
  { nowMs }: View,
): Line[] =>
  facts({
    Recording: id,
    Status: statusSpan(status),
    Started: ageOf(createdAt, nowMs),
    Length: lengthOf(durationMs),
    Size: byteSize === undefined ? undefined : sizeOf(byteSize),
    Failure: failure && red(failure.message),
    'Next step': failure?.action,
    'Kept until': retentionExpiresAt && ageOf(retentionExpiresAt, nowMs),
  });
