import type { HistoryEntry } from '@runcloud/protocol';

/** The head of a WebVTT file; cues follow. */
export const VTT_HEAD = 'WEBVTT\n\n';

const part = (value: number, width: number): string => String(value).padStart(width, '0');

/** A WebVTT timestamp: hours may have more than two digits. */
function timestamp(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return `${part(Math.floor(minutes / 60), 2)}:${part(minutes % 60, 2)}:${part(seconds % 60, 2)}.${part(ms % 1_000, 3)}`;
}

/**
 * The cue of an entry (W3C WebVTT, section 4.1): its times are those of the video, its payload is JSON on one line.
 * @param fromMs where the video begins, in milliseconds since the epoch
 */
export function toCue(
  { seq, requestId, action, fields, status, durationMs, ...times }: HistoryEntry,
  fromMs: number,
): string {
  const startMs = Math.max(0, Date.parse(times.dispatchedAt ?? times.acceptedAt) - fromMs);
  const endMs = times.completedAt === undefined ? 0 : Date.parse(times.completedAt) - fromMs;
  const payload = JSON.stringify({
    requestId,
    action,
    fields,
    status,
    ...(durationMs !== undefined && { durationMs }),
  });
  // An arrow would end the payload; escaped, it is the same JSON.
  const line = payload.replaceAll('>', '\\u003e');
  // A cue has to end after it begins.
  return `${seq}\n${timestamp(startMs)} --> ${timestamp(Math.max(startMs + 1, endMs))}\n${line}\n\n`;
}
