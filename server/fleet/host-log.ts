import { type Acknowledgement, ERRORS, LOST_CODE } from '@runcloud/protocol';
import type { Clock } from '../flow/clock.ts';
import type { ChannelCounts, ChannelRefusal } from '../observe/channel-counts.ts';
import type { LineLog } from '../observe/line-log.ts';
import type { HttpReply } from '../socket/http.ts';
import { type CallHead, fieldsOf, levelOf } from './call-lines.ts';
import { GAP } from './channel.ts';

export interface HostLogOptions {
  readonly lines: LineLog;
  readonly counts: Pick<ChannelCounts, 'refused' | 'gap'>;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Why a channel ended. */
export interface ChannelEnd {
  readonly code: number;
  readonly why: string;
  /** Nobody wanted it. */
  readonly isLoss: boolean;
}

/** A call or a socket that an edge has passed on. */
export interface ServedLog {
  answered(reply: Pick<HttpReply, 'status' | 'requestId'>): void;
  /** A call ended before its answer was sent. */
  cut(end: ChannelEnd): void;
  opened(): void;
  closed(end: ChannelEnd): void;
}

/** The longest id of a request that an unsigned head is believed to have. */
const ID_CHARACTERS_MAX = 128;

/** What a host tells of the calls and sockets that edges pass on: a line each, of the same ids as the edge's. */
export class HostLog {
  readonly #lines: LineLog;
  readonly #counts: HostLogOptions['counts'];
  readonly #clock: HostLogOptions['clock'];

  constructor({ lines, counts, clock }: HostLogOptions) {
    this.#lines = lines;
    this.#counts = counts;
    this.#clock = clock;
  }

  /** @param head as it came; it may be anybody's */
  refused(channelId: string, head: CallHead, reason: ChannelRefusal): void {
    this.#counts.refused(reason);
    const requestId = String(head.requestId).slice(0, ID_CHARACTERS_MAX);
    this.#lines.warn({ ...fieldsOf({ ...head, requestId }), channelId, reason }, "an edge's grant was refused");
  }

  served(channelId: string, head: CallHead): ServedLog {
    const sinceMs = this.#clock.monotonicMs();
    const took = () => ({ durationMs: Math.round((this.#clock.monotonicMs() - sinceMs) * 10) / 10 });
    const end = ({ code, why, isLoss }: ChannelEnd, quiet: 'debug' | 'info', message: string) => {
      if (why === GAP) this.#counts.gap();
      const level = isLoss ? 'warn' : quiet;
      if (!this.#lines.isLevelEnabled(level)) return;
      const told = { channelId, ...(code !== LOST_CODE && { code }), ...(why !== '' && { why }), ...took() };
      this.#lines[level]({ ...fieldsOf(head), ...told }, message);
    };
    return {
      answered: ({ status, requestId = head.requestId }) => {
        const level = levelOf(head, status);
        if (!this.#lines.isLevelEnabled(level)) return;
        const fields = fieldsOf({ ...head, requestId });
        this.#lines[level]({ ...fields, channelId, status, ...took() }, 'a call was answered');
      },
      cut: (ended) => end(ended, 'debug', 'a call was cut off'),
      opened: () => this.#lines.info({ ...fieldsOf(head), channelId }, 'a control socket has opened'),
      closed: (ended) => end(ended, 'info', 'a control socket has closed'),
    };
  }

  /** A request that came over a control socket has ended. @param channelId of the socket, if it still has one */
  interaction(
    { ok, requestId, sessionId, action, status, error, durationMs }: Acknowledgement,
    channelId?: string,
  ): void {
    const level = error && ERRORS[error.code].http >= FAILED ? 'warn' : 'debug';
    if (!this.#lines.isLevelEnabled(level)) return;
    const ids = {
      requestId,
      ...(sessionId !== undefined && { sessionId }),
      ...(channelId !== undefined && { channelId }),
    };
    const told = { ...ids, action, status, ...(error && { code: error.code }), durationMs };
    this.#lines[level](told, ok ? 'an interaction has ended' : 'an interaction has failed');
  }
}

const FAILED = 500;
