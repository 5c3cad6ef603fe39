import { type InteractionState, LIMITS, REQUEST_ID_PATTERN, ServiceError } from '@runcloud/protocol';
import { isoTimestamp } from '../flow/timestamp.ts';
import { VTT_HEAD } from '../history/cue.ts';
import type { HistoryReads } from '../history/history.ts';
import type { ReadOrder } from '../history/messages.ts';
import type { EndedRequest } from '../interaction/ended-requests.ts';
import { observingOf } from '../interaction/observing.ts';
import { UNKNOWN } from '../interaction/past-requests.ts';
import type { Request } from '../interaction/request.ts';
import type { StreamBody } from '../socket/http.ts';
import type { AnswerTo, CallTo } from './call.ts';
import { JSON_HEADERS, json } from './reply.ts';
import type { Services } from './services.ts';

const REQUEST_ID = new RegExp(REQUEST_ID_PATTERN);
const LINES = 'application/x-ndjson';
/** Entries and bytes that are read at once for a stream. */
const ENTRIES_AT_ONCE = 500;
const BYTES_AT_ONCE = 65_536;

type HistoryAnswer = AnswerTo<'history'>;

/** `GET .../history`: a page, or all entries as lines. It is no activity of the session. */
export async function readHistory(call: CallTo<'history'>, { history }: Services): Promise<HistoryAnswer> {
  const { head, owner, session, query } = call;
  const { after = 0, newest, limit } = query;
  const sessionId = session.id;
  if ((head.header('accept') ?? '').includes(LINES)) {
    const stream = streamOf(history, owner.accountId, { sessionId, after, newest }, limit ?? Number.POSITIVE_INFINITY);
    // A stream that cannot begin is refused, and not cut off.
    const first = await stream.next();
    const headers = { 'Content-Type': LINES, 'Cache-Control': 'no-store' };
    return { status: 200, headers, body: '', stream: withFirst(first, stream) };
  }
  const { bytes, last, more } = await history.read(owner.accountId, {
    sessionId,
    after,
    newest,
    limit: limit ?? LIMITS.listed.default,
    bytesMax: LIMITS.historyPageBytes,
  });
  const entries = Buffer.from(bytes).toString().trimEnd().replaceAll('\n', ',');
  return { status: 200, headers: JSON_HEADERS, body: `{"entries":[${entries}]${more ? `,"next":${last}` : ''}}` };
}

/** `GET .../interactions/{requestId}`: from memory while it is there, so that it needs no disk; else from the history. */
export async function readInteraction(call: CallTo<'readInteraction'>, { registry, history }: Services) {
  const { requestId } = call.params;
  if (!REQUEST_ID.test(requestId)) throw new ServiceError('invalid_interaction', '"requestId" is not a request id.');
  const known = registry.live(call.session.id)?.interactions.standing(requestId);
  if (known) return json(200, stateOf(known));
  const entry = await history.find(call.owner.accountId, { sessionId: call.session.id, requestId });
  if (!entry) throw new ServiceError('not_found', 'The session has accepted no request with this id.');
  const { seq: _seq, fields: _fields, by: _by, lostBefore: _lost, ...state } = entry;
  return json(200, state);
}

/** `GET .../recordings/{recordingId}/history.vtt`: the inputs of a recording, on the times of its video. */
export async function recordingHistory(
  { owner, session, params }: CallTo<'recordingHistory'>,
  { recordings, history }: Services,
): Promise<AnswerTo<'recordingHistory'>> {
  const { startedAt, stoppedAt } = recordings.read(session.id, params.recordingId);
  const stream =
    startedAt === undefined
      ? NOTHING
      : streamOf(history, owner.accountId, {
          sessionId: session.id,
          after: 0,
          cues: {
            fromMs: Date.parse(startedAt),
            toMs: stoppedAt === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(stoppedAt),
          },
        });
  const first = await stream.next();
  const headers = { 'Content-Type': 'text/vtt; charset=utf-8', 'Cache-Control': 'no-store' };
  const head = Buffer.concat([Buffer.from(VTT_HEAD), first ?? new Uint8Array()]);
  return { status: 200, headers, body: '', stream: withFirst(head, stream) };
}

const NOTHING: StreamBody = { next: async () => undefined, close: () => undefined };

/** All that there is, a piece at a time: whatever its length, a piece is held. */
function streamOf(
  history: HistoryReads,
  accountId: string,
  from: Pick<ReadOrder, 'sessionId' | 'after' | 'newest' | 'cues'>,
  limit = Number.POSITIVE_INFINITY,
): StreamBody {
  let { after, newest } = from;
  let left = limit;
  return {
    next: async () => {
      if (left === 0) return undefined;
      const atOnce = Math.min(ENTRIES_AT_ONCE, left);
      const { bytes, count, last, more } = await history.read(accountId, {
        ...from,
        after,
        newest,
        limit: atOnce,
        bytesMax: BYTES_AT_ONCE,
      });
      after = last;
      newest = undefined;
      left = more ? left - count : 0;
      return count > 0 ? bytes : undefined;
    },
    close: () => {
      left = 0;
    },
  };
}

/** The same stream with a piece that was read before. */
function withFirst(first: Uint8Array | undefined, { next, close }: StreamBody): StreamBody {
  let waiting = first;
  return {
    next: async () => {
      const piece = waiting;
      waiting = undefined;
      return piece ?? next();
    },
    close,
  };
}

function observedOf(request: Request | EndedRequest): Pick<InteractionState, 'observed'> {
  const observed = observingOf(request)?.observed;
  return observed ? { observed } : {};
}

/** A request that the session still knows. */
function stateOf(request: Request | EndedRequest): InteractionState {
  const { requestId, action, accepted, ending, durationMs } = request;
  if (ending === UNKNOWN) return { requestId, action, status: 'unknown', acceptedAt: isoTimestamp(accepted.wallMs) };
  return {
    requestId,
    action,
    status: ending?.status ?? 'pending',
    acceptedAt: isoTimestamp(accepted.wallMs),
    ...(ending && { completedAt: isoTimestamp(accepted.wallMs + durationMs), durationMs }),
    ...(ending?.result && { result: ending.result }),
    ...(ending && ending.status !== 'completed' && { error: ending.error }),
    ...observedOf(request),
    ...('inputSeq' in request && request.inputSeq !== undefined && { inputSeq: request.inputSeq }),
  };
}
