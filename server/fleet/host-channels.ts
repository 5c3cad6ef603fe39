import { LOST_CODE, ServiceError } from '@runcloud/protocol/terms';
import type { SentAsset } from '../asset/assets.ts';
import type { Clock } from '../flow/clock.ts';
import { every } from '../flow/every.ts';
import type { ChannelRefusal } from '../observe/channel-counts.ts';
import type { OnFault } from '../observe/log-ids.ts';
import { json } from '../rest/reply.ts';
import { type SocketApplication, SocketConnection, type WantedSocket } from '../socket/connection.ts';
import type { HeaderName, HttpApplication, HttpReply } from '../socket/http.ts';
import { type HeadSource, RequestHead } from '../socket/request-head.ts';
import { serveHttp } from '../socket/serve-http.ts';
import { BodyPieces } from '../socket/streamed-body.ts';
import type { Bus, BusMessage } from './bus.ts';
import { Channel, type ChannelEvents, channelName, endedFrame } from './channel.ts';
import { decodeFrame, decodeHead, encodeFrame, encodeHead, FRAME, type Frame } from './frames.ts';
import type { GrantedCallers } from './granted-callers.ts';
import type { GrantVerifier } from './grants.ts';
import type { ChannelEnd, HostLog, ServedLog } from './host-log.ts';
import {
  BEAT_MS,
  type ClosedHead,
  type EdgeNotice,
  GRANT_MS,
  type Grant,
  type GrantedCaller,
  LOST_MS,
  type OpenHead,
  type OutboxPage,
  type WantedAsset,
} from './messages.ts';
import { OwnPauses } from './own-pauses.ts';
import { SentPictures } from './pictures.ts';
import { ServedRequest, ServedSocket } from './served-request.ts';
import { EDGES, toEdge, toHost } from './subjects.ts';

export interface HostChannelsOptions {
  readonly bus: Bus;
  /** This host's name. */
  readonly host: string;
  readonly epoch: number;
  readonly verifier: GrantVerifier;
  readonly callers: GrantedCallers;
  readonly log: Pick<HostLog, 'refused' | 'served'>;
  readonly clock: Clock;
  readonly http: HttpApplication;
  readonly sockets: SocketApplication;
  /** Whether a session was made here for an account's idempotency key. */
  readonly knows: (accountId: string, key: string) => boolean;
  /** What is to be told behind a position. */
  readonly outbox: (position: number) => Promise<OutboxPage>;
  /** Keeps an asset that was wanted. Throws a `ServiceError`. */
  readonly adopt: (asset: SentAsset, body: AsyncIterable<Uint8Array>) => Promise<void>;
  /** Forgets an asset. Throws a `ServiceError`. */
  readonly drop: (asset: WantedAsset) => Promise<void>;
  /** Where clients reach the fleet, as an edge tells. */
  readonly onPublicUrl: (url: string) => void;
  /** Another process serves under the name of this host: this one is heard no more. */
  readonly onSuperseded: () => void;
  /** Whether nothing that this host was told has ended the caller's credential: the edge that has established it may not know yet. */
  readonly isCurrent: (caller: GrantedCaller) => boolean;
  /** An edge has come. */
  readonly onEdge: () => void;
  readonly onRevoked: (notice: Exclude<EdgeNotice, { readonly kind: 'here' }>) => void;
  readonly onFault: OnFault;
}

interface Served {
  readonly channel: Channel;
  /** The edge has gone, or nobody is served any more. */
  cut(end: ChannelEnd): void;
}

/** An asset on its way here. */
interface Wanted {
  readonly promise: Promise<void>;
  readonly settled: (error?: unknown) => void;
}

/** An edge that was heard of. */
interface Peer {
  readonly id: string;
  seenMs: number;
  /** Of the latest channel: each opens once. */
  lastChannel: number;
  lastNotice: number;
  readonly channels: Map<number, Served>;
  readonly pictures: SentPictures;
}

/** Serves the requests and sockets that edges pass on, by the applications that a listener serves in a service alone. */
export class HostChannels {
  readonly #options: HostChannelsOptions;
  readonly #peers = new Map<string, Peer>();
  readonly #endLooks: () => void;
  readonly #pauses: OwnPauses;
  #isSuperseded = false;
  /** The assets on their way here, by id. */
  readonly #wanted = new Map<string, Wanted>();

  constructor(options: HostChannelsOptions) {
    this.#options = options;
    const { bus, host } = options;
    this.#pauses = new OwnPauses(options.clock.monotonicMs());
    bus.subscribe(toHost(host), (message) => this.#receive(message));
    bus.subscribe(EDGES, ({ payload }) => this.#notice(payload));
    // What was under way is lost, and edges see by the presence that the connection is another one.
    bus.onConnected((connected) => {
      if (!connected) for (const peer of this.#peers.values()) this.#cutAll(peer, loss('NATS cannot be reached'));
    });
    this.#endLooks = every(options.clock, BEAT_MS, () => this.#look());
  }

  /** Has an asset sent here, if the edges have it. Throws `store_unavailable`. */
  want(asset: WantedAsset): Promise<void> {
    const known = this.#wanted.get(asset.id);
    if (known) return known.promise;
    const [edge] = [...this.#peers.values()].sort((one, other) => other.seenMs - one.seenMs);
    if (!edge || this.#nowMs - edge.seenMs > LOST_MS) return Promise.reject(unavailable());
    let settled: Wanted['settled'] = () => undefined;
    const promise = new Promise<void>((resolve, reject) => {
      const cancel = this.#options.clock.schedule(WANT_MS_MAX, () => settled(unavailable()));
      settled = (error) => {
        cancel();
        this.#wanted.delete(asset.id);
        if (error === undefined) resolve();
        else reject(error);
      };
    });
    this.#wanted.set(asset.id, { promise, settled });
    const { bus, host } = this.#options;
    bus.publish(toEdge(edge.id, host), encodeFrame(FRAME.want, 0, 0, ...encodeHead(asset)));
    return promise;
  }

  close(): void {
    this.#endLooks();
    for (const peer of this.#peers.values()) this.#cutAll(peer, gone('the host stops'));
  }

  #notice(payload: Uint8Array): void {
    const { verifier, onPublicUrl, onRevoked } = this.#options;
    const notice = verifier.verify<EdgeNotice>(Buffer.from(payload).toString());
    if (!notice) return;
    if (notice.kind !== 'here') return onRevoked(notice);
    const peer = this.#peer(notice.edge);
    if (notice.number <= peer.lastNotice) return;
    if (peer.lastNotice === 0) this.#options.onEdge();
    peer.lastNotice = notice.number;
    peer.seenMs = this.#nowMs;
    if (notice.publicUrl !== '') onPublicUrl(notice.publicUrl);
    if (notice.leaving) this.#cutAll(peer, gone('the edge has left'));
  }

  #look(): void {
    const pauseMs = this.#pauses.beat(this.#nowMs);
    for (const peer of this.#peers.values()) {
      peer.seenMs += pauseMs;
      const silentMs = this.#nowMs - peer.seenMs;
      if (silentMs > LOST_MS) this.#cutAll(peer, loss('the edge is silent'));
      // Its numbers are known for as long as one of its grants can be shown again.
      if (silentMs > 2 * GRANT_MS) this.#peers.delete(peer.id);
    }
  }

  #peer(id: string): Peer {
    const known = this.#peers.get(id);
    if (known) return known;
    const peer = {
      id,
      seenMs: this.#nowMs,
      lastChannel: 0,
      lastNotice: 0,
      channels: new Map(),
      pictures: new SentPictures(),
    };
    this.#peers.set(id, peer);
    return peer;
  }

  #receive({ payload, answerTo }: BusMessage): void {
    const frame = decodeFrame(payload);
    const edge = edgeOf(answerTo, this.#options.host);
    if (!frame || edge === undefined || this.#isSuperseded) return;
    if (frame.type === FRAME.open) return this.#open(frame, edge);
    const served = this.#peers.get(edge)?.channels.get(frame.channel);
    if (served) served.channel.receive(frame);
    // An edge that believes in a channel that has ended, or never was, is told.
    else if (frame.type !== FRAME.closed && frame.type !== FRAME.taken) this.#refuse(edge, frame.channel);
  }

  #refuse(edge: string, channel: number): void {
    const { bus, host } = this.#options;
    bus.publish(toEdge(edge, host), endedFrame(channel));
  }

  #open(frame: Frame, edge: string): void {
    const { head, body } = decodeHead<OpenHead>(frame.payload);
    const grant = this.#options.verifier.verify<Grant>(head.grant);
    if (grant && this.#isOfSuccessor(grant)) return this.#supersede();
    const refusal = grant ? this.#refusalOf(grant, frame, edge) : 'unsigned';
    if (!grant || refusal) {
      this.#options.log.refused(channelName(edge, frame.channel), head, refusal ?? 'unsigned');
      return this.#refuse(edge, frame.channel);
    }
    const peer = this.#peer(edge);
    peer.lastChannel = frame.channel;
    peer.seenMs = this.#nowMs;
    if (head.kind === 'socket') return this.#connect(peer, frame, head, grant);
    this.#request(peer, frame, head, body, (served) => this.#answer(served, head, grant, body));
  }

  /** The head of a client's request, of which it is known who asks. */
  #noted(head: OpenHead, grant: Grant): RequestHead {
    const request = new RequestHead(sourceOf(head));
    this.#options.callers.note(request, grant);
    return request;
  }

  #answer(served: ServedRequest, head: OpenHead, grant: Grant, body: Uint8Array): void {
    const { http, knows, outbox, drop } = this.#options;
    const { kind, asset } = head;
    if (kind === 'http') return serveHttp(this.#noted(head, grant), served, http);
    if (kind === 'asset') return this.#adopt(served, asset);
    const accountId = grant.caller?.principal.accountId ?? '';
    if (kind === 'knows') return served.write(bare(knows(accountId, Buffer.from(body).toString()) ? 200 : 404));
    const done =
      kind === 'outbox'
        ? outbox(Number(Buffer.from(body).toString())).then((page) => json(200, page))
        : (asset ? drop(asset) : Promise.resolve()).then(() => bare(200));
    done.then(
      (reply) => served.write(reply),
      (error: unknown) => served.write(bare(error instanceof ServiceError ? error.http : 500)),
    );
  }

  /** Whether an edge has met a later start of a host of this name. */
  #isOfSuccessor(grant: Grant): boolean {
    const { host, epoch, clock } = this.#options;
    return grant.host === host && grant.epoch > epoch && grant.expiresAtMs > clock.wallMs();
  }

  /** Another process serves the edges under this name: this one says nothing any more, since its frames would end channels to that one. */
  #supersede(): void {
    this.#isSuperseded = true;
    for (const peer of this.#peers.values())
      this.#cutAll(peer, loss('another process serves under the name of the host'));
    this.#options.onSuperseded();
  }

  /** Why it is not an edge's leave to open this very channel, for the first time. */
  #refusalOf(grant: Grant, { channel, number }: Frame, edge: string): ChannelRefusal | undefined {
    const { host, epoch, clock, isCurrent } = this.#options;
    const isForThis = grant.host === host && grant.epoch === epoch && grant.edge === edge && grant.channel === channel;
    const isFirst = number === 0 && channel > (this.#peers.get(edge)?.lastChannel ?? 0);
    const isOfCurrent = [grant.caller, grant.browser].every((caller) => caller === undefined || isCurrent(caller));
    if (!isForThis) return 'misdirected';
    if (!isFirst) return 'reused';
    if (grant.expiresAtMs <= clock.wallMs()) return 'expired';
    return isOfCurrent ? undefined : 'revoked';
  }

  /** Takes an asset that was wanted; nothing else is kept. */
  #adopt(served: ServedRequest, asset: OpenHead['asset']): void {
    const wanted = asset && this.#wanted.get(asset.id);
    if (!wanted) return served.write(bare(404));
    const body = new BodyPieces(served);
    served.onBody((piece, isLast) => body.push(piece, isLast));
    served.onGone(() => body.cutOff());
    // It is said of an unknown asset that it is none.
    const kept = 'checksum' in asset ? this.#options.adopt(asset, body) : Promise.resolve();
    kept.then(
      () => {
        wanted.settled();
        served.write(bare(200));
      },
      (error: unknown) => {
        wanted.settled(error);
        served.write(bare(502));
      },
    );
  }

  /** Opens the channel of a request, and gives it its body once `begin` has returned. */
  #request(peer: Peer, frame: Frame, head: OpenHead, body: Uint8Array, begin: (served: ServedRequest) => void): void {
    const channel = this.#channel(peer, frame, {
      told: (type, payload) => {
        if (type === FRAME.end) served.received(NOTHING, true);
        else if (type === FRAME.closed) cut(gone(decodeHead<ClosedHead>(payload).head.reason));
      },
      data: (bytes) => served.received(bytes, false),
      taken: () => undefined,
      lost: (why) => cut(loss(why)),
    });
    const told = this.#told(channel, head);
    const cut = (end: ChannelEnd) => {
      told.cut(end);
      served.cut();
    };
    const onEnd = () => peer.channels.delete(channel.id);
    const served = new ServedRequest(channel, head.method, told.answered, onEnd);
    peer.channels.set(channel.id, { channel, cut });
    begin(served);
    served.received(body, head.more !== true);
  }

  #connect(peer: Peer, frame: Frame, head: OpenHead, grant: Grant): void {
    const outcome = this.#options.sockets.upgrade(this.#noted(head, grant));
    if ('later' in outcome) throw new Error('a host opens its sockets at once');
    if ('open' in outcome) return this.#begin(peer, frame, head, outcome);
    this.#request(peer, frame, head, NOTHING, (served) => {
      if (outcome instanceof Promise) void outcome.then((reply) => served.write(reply));
      else served.write(outcome);
    });
  }

  #begin(peer: Peer, frame: Frame, head: OpenHead, wanted: WantedSocket): void {
    const channel = this.#channel(peer, frame, {
      told: (type, payload) => {
        if (type === FRAME.text) connection.received(payload, false);
        else if (type === FRAME.ping) connection.pinged();
        else if (type === FRAME.closed) cut(ending(decodeHead<ClosedHead>(payload).head));
      },
      data: (bytes) => connection.received(bytes, true),
      taken: () => connection.drained(),
      lost: (why) => {
        channel.sendGone(why);
        cut(loss(why));
      },
    });
    const told = this.#told(channel, head);
    const cut = (end: ChannelEnd) => {
      if (channel.isOpen) told.closed(end);
      channel.end();
      peer.channels.delete(channel.id);
      connection.closed(end.code);
    };
    const socket = new ServedSocket(channel, head.pictures ? peer.pictures : undefined, (reason) =>
      cut(ending(reason)),
    );
    const connection = new SocketConnection(socket, this.#options.onFault);
    peer.channels.set(channel.id, { channel, cut });
    channel.send(FRAME.accept);
    told.opened();
    connection.begin(wanted);
  }

  #channel(peer: Peer, { channel: id, number }: Frame, events: ChannelEvents): Channel {
    const channel = new Channel(id, this.#wire(peer.id), events);
    channel.expectAfter(number);
    return channel;
  }

  #told(channel: Channel, head: OpenHead): ServedLog {
    return this.#options.log.served(channel.name, head);
  }

  #wire(edge: string) {
    const { bus, host } = this.#options;
    const subject = toEdge(edge, host);
    return {
      edge,
      payloadBytesMax: bus.payloadBytesMax,
      publish: (bytes: Uint8Array) => bus.publish(subject, bytes),
    };
  }

  #cutAll(peer: Peer, end: ChannelEnd): void {
    for (const served of [...peer.channels.values()]) served.cut(end);
    peer.channels.clear();
  }

  get #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }
}

const ending = ({ code, reason: why }: ClosedHead): ChannelEnd => ({ code, why, isLoss: false });
const gone = (why: string): ChannelEnd => ({ code: LOST_CODE, why, isLoss: false });
const loss = (why: string): ChannelEnd => ({ code: LOST_CODE, why, isLoss: true });

const NOTHING = new Uint8Array();
/** An asset may be large, and the way to it slow. */
const WANT_MS_MAX = 120_000;

const unavailable = (): ServiceError =>
  new ServiceError('store_unavailable', 'The app cannot be brought to the host of the session.', {
    retryAfterSeconds: 5,
  });

/** An answer that is a status alone. */
const bare = (status: number): HttpReply => ({ status, body: NOTHING });

/** The edge whose subject for answers of this host it is. */
function edgeOf(answerTo: string, host: string): string | undefined {
  const edge = /\.edge\.([0-9A-Za-z]{1,64})\./.exec(answerTo)?.[1];
  return edge !== undefined && answerTo === toEdge(edge, host) ? edge : undefined;
}

const sourceOf = ({ method, path, query, headers, address }: OpenHead): HeadSource => ({
  method,
  path,
  query,
  header: (name: HeaderName) => headers[name] ?? '',
  remoteAddress: () => address,
  lastForwarded: () => undefined,
});
