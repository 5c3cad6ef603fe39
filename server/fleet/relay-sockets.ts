import { CLOSE, type CloseReason, LOST_CODE, ServiceError } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { callIdOf } from '../rest/target.ts';
import type { SocketApplication, SocketHandler, SocketSender, WantedSocket } from '../socket/connection.ts';
import type { HttpHead, HttpReply } from '../socket/http.ts';
import type { Channel } from './channel.ts';
import type { Ask, EdgeChannels, KnownHost } from './edge-channels.ts';
import type { EdgeLog, RelayedSocketLog, SocketEnder } from './edge-log.ts';
import { decodeHead, FRAME } from './frames.ts';
import { hostUnreachable, relayedHead } from './host-calls.ts';
import type { ClosedHead, ReplyHead } from './messages.ts';

/** A host answers an upgrade at once, unless something was lost. */
const OPEN_MS_MAX = 10_000;

export interface RelaySocketsOptions {
  readonly channels: EdgeChannels;
  readonly clock: Pick<Clock, 'schedule'>;
  /** The sockets that this process answers itself: those of sessions of no host, whose refusals say why. */
  readonly own: SocketApplication;
  readonly log: Pick<EdgeLog, 'socket' | 'unreached'>;
  /** The host of the session that a request names, or the name of one that was not heard of yet; `undefined` if no host has made it. */
  readonly hostOf: (head: HttpHead) => KnownHost | string | undefined;
  /** Who asks, as far as this edge can judge; `undefined` to refuse the request here. */
  readonly callerOf: (head: HttpHead) => Pick<Ask, 'caller' | 'browser'> | undefined;
  readonly refuse: (head: HttpHead, error: ServiceError, requestId: string) => HttpReply;
  readonly onCount: (change: 1 | -1) => void;
}

/** An edge's control sockets: each is a channel to its session's host, and its messages pass unparsed. */
export class RelaySockets implements SocketApplication {
  readonly #options: RelaySocketsOptions;
  readonly #open = new Set<RelayedSocket>();

  constructor(options: RelaySocketsOptions) {
    this.#options = options;
  }

  upgrade(head: HttpHead): ReturnType<SocketApplication['upgrade']> {
    const { channels, own, hostOf, callerOf, refuse, log } = this.#options;
    const host = hostOf(head);
    const requestId = callIdOf(head);
    let who: ReturnType<typeof callerOf>;
    try {
      who = host === undefined ? undefined : callerOf(head);
    } catch (error) {
      if (error instanceof ServiceError) return refuse(head, error, requestId);
      throw error;
    }
    if (host === undefined || !who) return own.upgrade(head);
    const asked = { head: relayedHead(head, requestId, 'socket'), ...who };
    if (typeof host === 'string' || !channels.canReach(host)) {
      log.unreached(typeof host === 'string' ? host : host.name, asked.head);
      return refuse(head, hostUnreachable(), requestId);
    }
    return { later: this.#ask(host, asked, () => refuse(head, hostUnreachable(), requestId)) };
  }

  /** Every socket is closed; its client resumes it by another edge, or by this one when it is back. */
  drain(): void {
    for (const socket of [...this.#open]) socket.close(CLOSE.draining);
  }

  #ask(host: KnownHost, asked: Ask, lost: () => HttpReply): Promise<HttpReply | WantedSocket> {
    return new Promise((resolve) => {
      const socket = new RelayedSocket({
        log: this.#options.log.socket(host.name, asked.head),
        onOpen: () => {
          this.#open.add(socket);
          this.#options.onCount(1);
        },
        onEnd: () => {
          this.#options.channels.end(host, channel);
          if (this.#open.delete(socket)) this.#options.onCount(-1);
        },
        onAccepted: () => {
          cancel();
          resolve(socket.wanted);
        },
        onRefused: (reply) => {
          cancel();
          resolve(reply);
        },
        onLost: () => {
          cancel();
          resolve(lost());
        },
      });
      const cancel = this.#options.clock.schedule(OPEN_MS_MAX, () => socket.unanswered());
      const channel: Channel = this.#options.channels.open(host, asked, {
        told: (type, payload) => socket.told(type, payload),
        data: (bytes) => socket.data(bytes),
        taken: () => undefined,
        lost: (why) => socket.lost(why),
      });
      socket.channel = channel;
    });
  }
}

interface RelayedSocketOptions {
  readonly log: RelayedSocketLog;
  readonly onOpen: () => void;
  readonly onEnd: () => void;
  readonly onAccepted: () => void;
  readonly onRefused: (reply: HttpReply) => void;
  /** Before the host has answered. */
  readonly onLost: () => void;
}

/** One client's socket and its channel. */
class RelayedSocket implements SocketHandler {
  channel: Channel | undefined;
  readonly #options: RelayedSocketOptions;
  /** What the host has sent before the client's socket is open. */
  readonly #early: Uint8Array[] = [];
  #outlet: SocketSender | undefined;
  #closed: CloseReason | undefined;
  /** Bytes that the client's connection has not taken yet, of which the host is not told. */
  #heldBytes = 0;
  #isTold = false;

  constructor(options: RelayedSocketOptions) {
    this.#options = options;
  }

  get wanted(): WantedSocket {
    return {
      // The host knows the credential, and refuses messages that are too long for it.
      brief: false,
      open: (outlet) => this.#begin(outlet),
      unwanted: () => this.closed(LOST_CODE),
    };
  }

  #begin(outlet: SocketSender): SocketHandler {
    this.#outlet = outlet;
    this.#options.onOpen();
    if (!this.#isTold) this.#options.log.opened(this.#name);
    for (const message of this.#early.splice(0)) this.#pass(message, outlet);
    if (this.#closed) outlet.close(this.#closed);
    return this;
  }

  told(type: number, payload: Uint8Array): void {
    if (type === FRAME.accept) return this.#options.onAccepted();
    if (type === FRAME.reply) {
      const { head, body } = decodeHead<ReplyHead>(payload);
      this.#isTold = true;
      this.#options.log.refused(this.#name, head.status);
      this.#options.onEnd();
      return this.#options.onRefused({
        status: head.status,
        ...(head.headers && { headers: head.headers }),
        body: new Uint8Array(body),
      });
    }
    if (type !== FRAME.closed) return;
    const { head } = decodeHead<ClosedHead>(payload);
    this.#tell(head, 'host');
    this.#end(reasonOf(head));
  }

  data(bytes: Uint8Array): void {
    if (this.#outlet) this.#pass(bytes, this.#outlet);
    else this.#early.push(new Uint8Array(bytes));
  }

  /** The host, or the way to it. */
  lost(why: string): void {
    this.#tell({ code: CLOSE.fault.code, reason: why }, 'loss');
    this.#end(CLOSE.fault);
  }

  /** The host has not said whether the socket may be opened. */
  unanswered(): void {
    this.channel?.sendGone('the edge has waited too long');
    this.lost('the host has not answered');
  }

  close(reason: CloseReason): void {
    this.#tell(reason, 'edge');
    this.channel?.sendGone(reason.reason);
    this.#end(reason);
  }

  /** Once: what follows is its consequence. */
  #tell({ code, reason }: ClosedHead, by: SocketEnder): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#options.log.closed(this.#name, { code, reason, by });
  }

  get #name(): string {
    return this.channel?.name ?? '';
  }

  #end(reason: CloseReason): void {
    this.#closed = reason;
    this.#options.onEnd();
    if (this.#outlet) this.#outlet.close(reason);
    else this.#options.onLost();
  }

  #pass(bytes: Uint8Array, outlet: SocketSender): void {
    if (outlet.send(bytes) === 'dropped') return this.close(CLOSE.notReading);
    this.#heldBytes += bytes.byteLength;
    this.#tellTaken(outlet);
  }

  #tellTaken({ bufferedBytes }: SocketSender): void {
    const taken = Math.max(0, this.#heldBytes - bufferedBytes);
    this.#heldBytes -= taken;
    this.channel?.took(taken);
  }

  receive(message: Uint8Array): void {
    this.channel?.sendData(message);
  }

  receiveText(): void {
    this.channel?.send(FRAME.text);
  }

  receivePing(): void {
    this.channel?.send(FRAME.ping);
  }

  drained(): void {
    if (this.#outlet) this.#tellTaken(this.#outlet);
  }

  closed(code: number): void {
    this.#outlet = undefined;
    this.#tell({ code, reason: '' }, 'client');
    this.channel?.sendHead(FRAME.closed, { code, reason: '' });
    this.#options.onEnd();
  }
}

/** What the host said, for the client; a code that no endpoint may send (RFC 6455, section 7.4.1) is a fault to it. */
const reasonOf = ({ code, reason }: ClosedHead): CloseReason =>
  code === LOST_CODE ? CLOSE.fault : { code, reason, reconnect: true };
