import { LOST_CODE } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import type { ForwardMetrics } from '../observe/forward-metrics.ts';
import type { LineLog } from '../observe/line-log.ts';
import { identifyBody } from '../rest/body.ts';
import { match } from '../rest/router.ts';
import { type HttpReply, REQUEST_ID_HEADER } from '../socket/http.ts';
import { type CallFields, type CallHead, fieldsOf, levelOf } from './call-lines.ts';
import { GAP } from './channel.ts';

export interface EdgeLogOptions {
  readonly lines: LineLog;
  readonly metrics: Pick<ForwardMetrics, 'called' | 'gap'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** A call that is being passed on. */
export interface ForwardedCallLog {
  answered(channelId: string, reply: Pick<HttpReply, 'status' | 'headers'>): void;
  /** The host may have acted, or not. */
  lost(channelId: string, why: string): void;
  /** The answer had begun, and its body ended early. */
  cut(channelId: string, why: string): void;
  /** Its client has gone before the answer. */
  left(channelId: string): void;
}

/** A control socket that is being passed on. */
export interface RelayedSocketLog {
  opened(channelId: string): void;
  refused(channelId: string, status: number): void;
  /** It has closed, or has never opened. */
  closed(channelId: string, end: { readonly code: number; readonly reason: string; readonly by: SocketEnder }): void;
}

/** Who ended a control socket; `loss` for what none of them wanted. */
export type SocketEnder = 'client' | 'edge' | 'host' | 'loss';

const UNREACHABLE = 'host_unreachable';
const LOST = 'host_lost';

/** What an edge tells of the calls and sockets that it passes on: a line each, of the same ids as the host's. */
export class EdgeLog {
  readonly #lines: LineLog;
  readonly #metrics: EdgeLogOptions['metrics'];
  readonly #clock: EdgeLogOptions['clock'];

  constructor({ lines, metrics, clock }: EdgeLogOptions) {
    this.#lines = lines;
    this.#metrics = metrics;
    this.#clock = clock;
  }

  /** Nothing was sent. */
  unreached(host: string, head: CallHead, body?: Uint8Array): void {
    if (head.kind === 'http') this.#metrics.called(host, 'unreachable');
    this.#lines.warn({ ...namedIn(head, body), host, code: UNREACHABLE }, 'a call has not reached its host');
  }

  call(host: string, head: CallHead, body?: Uint8Array): ForwardedCallLog {
    const sinceMs = this.#clock.monotonicMs();
    const durationMs = () => this.#clock.monotonicMs() - sinceMs;
    const isCounted = head.kind === 'http';
    return {
      answered: (channelId, reply) => {
        const { status, headers } = reply;
        const took = durationMs();
        if (isCounted) this.#metrics.called(host, outcomeOf(status), took);
        const level = levelOf(head, status);
        if (!this.#lines.isLevelEnabled(level)) return;
        const fields = fieldsOf({ ...head, requestId: headers?.[REQUEST_ID_HEADER] ?? head.requestId });
        this.#lines[level]({ ...fields, channelId, host, status, durationMs: rounded(took) }, 'a host has answered');
      },
      lost: (channelId, why) => {
        if (isCounted) this.#metrics.called(host, 'lost');
        if (why === GAP) this.#metrics.gap();
        const told = { channelId, host, code: LOST, why, durationMs: rounded(durationMs()) };
        this.#lines.warn({ ...namedIn(head, body), ...told }, 'a host was lost before its answer');
      },
      cut: (channelId, why) => {
        if (why === GAP) this.#metrics.gap();
        const told = { channelId, host, why, durationMs: rounded(durationMs()) };
        this.#lines.warn({ ...namedIn(head, body), ...told }, 'the rest of an answer was lost');
      },
      left: (channelId) => {
        if (isCounted) this.#metrics.called(host, 'left');
        if (!this.#lines.isLevelEnabled('debug')) return;
        const told = { channelId, host, durationMs: rounded(durationMs()) };
        this.#lines.debug({ ...namedIn(head, body), ...told }, 'a client has gone before its answer');
      },
    };
  }

  socket(host: string, head: CallHead): RelayedSocketLog {
    const sinceMs = this.#clock.monotonicMs();
    let isOpen = false;
    const fields = (channelId: string) => ({
      ...fieldsOf(head),
      channelId,
      host,
      durationMs: rounded(this.#clock.monotonicMs() - sinceMs),
    });
    return {
      opened: (channelId) => {
        isOpen = true;
        this.#lines.info(fields(channelId), 'a control socket has opened');
      },
      refused: (channelId, status) => {
        this.#lines[levelOf(head, status)]({ ...fields(channelId), status }, 'a host has refused a control socket');
      },
      closed: (channelId, { code, reason, by }) => {
        if (reason === GAP) this.#metrics.gap();
        const level = by === 'loss' || (by === 'host' && code === LOST_CODE) ? 'warn' : 'info';
        const message = isOpen ? 'a control socket has closed' : 'a control socket has not opened';
        this.#lines[level]({ ...fields(channelId), code, by, ...(reason !== '' && { why: reason }) }, message);
      },
    };
  }
}

const BAD_REQUEST = 400;
const FAILED = 500;
const outcomeOf = (status: number) => (status < BAD_REQUEST ? 'answered' : status < FAILED ? 'refused' : 'failed');

const rounded = (ms: number): number => Math.round(ms * 10) / 10;

/** With the id that the body gives the request, which is read only where no host has told it. */
function namedIn(head: CallHead, body: Uint8Array | undefined): CallFields {
  const named: { requestId?: string } = {};
  if (body) identifyBody(match(head.method, head.path), body, named);
  return fieldsOf({ ...head, ...named });
}
