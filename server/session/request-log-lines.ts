import type { HistoryOrigin, SessionRequest } from '@runcloud/protocol';
import type { DeviceTarget } from '../device/target.ts';
import type { EndedRequest } from '../interaction/ended-requests.ts';
import type { Ending } from '../interaction/ending.ts';
import { Observing } from '../interaction/observing.ts';
import { UNKNOWN } from '../interaction/past-requests.ts';

/** The lines of a request log, each a JSON text. What a kill has cut off is left out: it was not begun either. */

/** The first line of each file: what does not change, and what the files before it say that are gone. */
export interface LogHead extends Pick<SessionRequest, 'historyTexts' | 'historyElements'> {
  readonly sessionId: string;
  readonly target: Pick<DeviceTarget, 'driver' | 'id'>;
  /** When the device was usable. */
  readonly startedAtMs: number;
  /** The number of the next entry of the history. */
  readonly nextSeq: number;
  readonly origins: readonly HistoryOrigin[];
}

/** A request was accepted; nothing of it has left for the device before this is written. */
export interface AcceptedLine {
  /** The number of its entry in the history, or one below 1 of the log's own. */
  readonly entry: number;
  /** Absent where the request may be repeated after its end. */
  readonly request?: Pick<EndedRequest, 'requestId' | 'action' | 'lease'> & {
    readonly acceptedAtMs: number;
    /** Tells nothing of what was typed. */
    readonly fingerprint: string;
    readonly observe?: true;
  };
}

export interface EndedLine {
  readonly entry: number;
  readonly durationMs: number;
  readonly ending: Ending;
}

export type LogLine =
  | { readonly head: LogHead }
  | { readonly origin: HistoryOrigin }
  | { readonly accepted: AcceptedLine }
  | { readonly ended: EndedLine };

/** A request with the number of its entry. */
export interface LeftRequest extends EndedRequest {
  readonly entry: number;
  readonly endedAtMs: number;
}

/** What a request log tells. */
export interface LogContent extends LogHead {
  /** In the order of their ends; those that have none come last, with the ending `UNKNOWN`. */
  readonly requests: readonly LeftRequest[];
  /** When the last line was written, as far as it tells. */
  readonly latestMs: number;
}

export const lineOf = (line: LogLine): string => `${JSON.stringify(line)}\n`;

/** Reads the files of one request log, oldest first; `undefined` where there is no head. */
export function readLines(texts: readonly string[]): LogContent | undefined {
  let head: LogHead | undefined;
  let origins: HistoryOrigin[] = [];
  let [nextSeq, latestMs] = [1, 0];
  const open = new Map<number, NonNullable<AcceptedLine['request']>>();
  const requests: LeftRequest[] = [];
  const end = (entry: number, durationMs: number, ending: Ending) => {
    const request = open.get(entry);
    if (!request) return;
    open.delete(entry);
    const { acceptedAtMs, observe, ...known } = request;
    const endedAtMs = acceptedAtMs + durationMs;
    latestMs = Math.max(latestMs, endedAtMs);
    const accepted = { wallMs: acceptedAtMs };
    requests.push({ ...known, lease: known.lease, accepted, durationMs, ending: told(ending), entry, endedAtMs });
    function told(ended: Ending): Ending {
      if (ended.status !== 'completed' || !observe) return ended;
      const observing = new Observing(known.requestId, () => undefined);
      observing.end('not_seen');
      return { ...ended, observing };
    }
  };
  for (const line of texts.flatMap(linesOf)) {
    if ('head' in line) {
      head = line.head;
      origins = [...head.origins];
      nextSeq = Math.max(nextSeq, head.nextSeq);
      latestMs = Math.max(latestMs, head.startedAtMs);
    } else if ('origin' in line) origins.push(line.origin);
    else if ('ended' in line) end(line.ended.entry, line.ended.durationMs, line.ended.ending);
    else {
      const { entry, request } = line.accepted;
      nextSeq = Math.max(nextSeq, entry + 1);
      if (!request) continue;
      open.set(entry, request);
      latestMs = Math.max(latestMs, request.acceptedAtMs);
    }
  }
  for (const [entry, { acceptedAtMs }] of [...open]) end(entry, Math.max(0, latestMs - acceptedAtMs), UNKNOWN);
  return head && { ...head, nextSeq, origins, requests, latestMs };
}

function linesOf(text: string): LogLine[] {
  return text.split('\n').flatMap((line): LogLine[] => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as LogLine];
    } catch {
      return [];
    }
  });
}
