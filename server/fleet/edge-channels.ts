import { randomBase62 } from '@runcloud/protocol/terms';
import type { Clock } from '../flow/clock.ts';
import { every } from '../flow/every.ts';
import type { OnFault } from '../observe/log-ids.ts';
import type { Bus } from './bus.ts';
import { Channel, type ChannelEvents, endedFrame, GAP } from './channel.ts';
import { decodeFrame, decodeHead, encodeHead, FRAME, type Frame } from './frames.ts';
import type { GrantSigner } from './grants.ts';
import {
  AWAY_MS,
  BEAT_MS,
  type EdgeNotice,
  GRANT_MS,
  type Grant,
  LOST_MS,
  type OpenHead,
  type Presence,
  type WantedAsset,
} from './messages.ts';
import { OwnPauses } from './own-pauses.ts';
import { ReceivedPictures } from './pictures.ts';
import { EDGES, lastToken, PRESENCES, toEdge, toHost } from './subjects.ts';

export interface EdgeChannelsOptions {
  readonly bus: Bus;
  readonly signer: GrantSigner;
  readonly clock: Clock;
  /** Whether the operator has removed the host: nothing of it is heard. */
  readonly isRemoved: (host: string) => boolean;
  /** Where clients reach the fleet. */
  readonly publicUrl: () => string;
  /** A host came, went, or started anew. */
  readonly onHost: (host: Pick<Presence, 'host' | 'epoch'>, what: 'here' | 'away') => void;
  /** What hosts know this edge by from now on. */
  readonly onMark: (edge: string) => void;
  /** A host that is here has told what there is. */
  readonly onPresence: (host: KnownHost) => void;
  /** A host wants an asset. */
  readonly onWant: (host: KnownHost, asset: WantedAsset) => void;
  readonly onFault: OnFault;
}

/** A host that was heard of. */
export interface KnownHost {
  readonly name: string;
  presence: Presence;
  seenMs: number;
  isAway: boolean;
  readonly channels: Map<number, AskedChannel>;
  /** What its channels share. */
  pictures: ReceivedPictures;
}

interface AskedChannel {
  readonly channel: Channel;
  readonly lost: (why: string) => void;
}

export interface Ask extends Pick<Grant, 'caller' | 'browser'> {
  readonly head: Omit<OpenHead, 'grant'>;
  readonly body?: Uint8Array;
}

/** An edge's channels to the hosts of the fleet, and which hosts there are. */
export class EdgeChannels {
  /** A new one at each connection to the bus: channels of an earlier one have ended. */
  #edge = '';
  readonly #options: EdgeChannelsOptions;
  readonly #hosts = new Map<string, KnownHost>();
  readonly #endBeats: () => void;
  readonly #pauses: OwnPauses;
  #stopListening: () => void = () => undefined;
  #lastChannel = 0;
  #lastNotice = 0;

  constructor(options: EdgeChannelsOptions) {
    this.#options = options;
    const { bus } = options;
    this.#pauses = new OwnPauses(options.clock.monotonicMs());
    bus.subscribe(PRESENCES, ({ subject, payload }) => this.#meet(lastToken(subject), payload));
    this.#listen();
    bus.onConnected((connected) => {
      if (connected) {
        this.#listen();
        this.#say();
      } else for (const host of this.#hosts.values()) this.#lose(host, 'NATS cannot be reached');
    });
    this.#endBeats = every(options.clock, BEAT_MS, () => this.#beat());
    this.#beat();
  }

  /** All hosts that were heard of, by name. */
  get known(): readonly KnownHost[] {
    return [...this.#hosts.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** The hosts that answer. */
  get hosts(): readonly KnownHost[] {
    return [...this.#hosts.values()].filter((host) => !host.isAway);
  }

  /** The host that makes ids with this mark, here or away. */
  hostOf(place: string): KnownHost | undefined {
    return [...this.#hosts.values()].find(({ presence }) => presence.place === place);
  }

  canReach(host: KnownHost): boolean {
    return this.#options.bus.connected && !host.isAway;
  }

  /** Opens a channel to a host that can be reached. */
  open({ presence, name, channels }: KnownHost, { head, body, caller, browser }: Ask, events: ChannelEvents): Channel {
    const { bus, signer, clock } = this.#options;
    const id = ++this.#lastChannel;
    const edge = this.#edge;
    const grant: Grant = {
      edge,
      channel: id,
      host: name,
      epoch: presence.epoch,
      expiresAtMs: clock.wallMs() + GRANT_MS,
      ...(caller && { caller }),
      ...(browser && { browser }),
    };
    const subject = toHost(name);
    const answerTo = toEdge(edge, name);
    const wire = {
      edge,
      payloadBytesMax: bus.payloadBytesMax,
      publish: (bytes: Uint8Array) => bus.publish(subject, bytes, answerTo),
    };
    const channel = new Channel(id, wire, events);
    channels.set(id, { channel, lost: (why) => events.lost(why) });
    const open: OpenHead = { ...head, ...(head.kind === 'socket' && { pictures: true }), grant: signer.sign(grant) };
    channel.send(FRAME.open, ...encodeHead(open, body));
    return channel;
  }

  /** Nothing more is wanted of a channel. */
  end(host: KnownHost, channel: Channel): void {
    channel.end();
    host.channels.delete(channel.id);
  }

  /** Tells every host. */
  tell(notice: EdgeNotice): void {
    this.#options.bus.publish(EDGES, Buffer.from(this.#options.signer.sign(notice)));
  }

  /** Tells every host where clients reach the fleet; they know it before they hear of anything that is asked from then on. */
  sayHere(): void {
    this.#say();
  }

  /** Every channel ends; hosts keep what can be resumed. */
  close(): void {
    this.#endBeats();
    for (const host of this.#hosts.values()) this.#lose(host, 'the edge stops');
    this.#say({ leaving: true });
  }

  #listen(): void {
    const { bus } = this.#options;
    this.#edge = randomBase62(22);
    const edge = this.#edge;
    this.#options.onMark(edge);
    this.#stopListening();
    this.#stopListening = bus.subscribe(toEdge(edge, '*'), ({ subject, payload }) => {
      const frame = decodeFrame(payload);
      const host = this.#hosts.get(lastToken(subject));
      if (!frame || !host) return;
      if (frame.type === FRAME.want) this.#options.onWant(host, decodeHead<WantedAsset>(frame.payload).head);
      else this.#receive(host, frame);
    });
  }

  #receive({ name, channels, pictures }: KnownHost, frame: Frame): void {
    const asked = channels.get(frame.channel);
    const whole = pictures.whole(frame);
    if (asked) return whole ? asked.channel.receive(whole) : asked.lost(GAP);
    if (whole && whole.type !== FRAME.data) return;
    // A host that believes in a channel that has ended is told.
    this.#options.bus.publish(toHost(name), endedFrame(frame.channel), toEdge(this.#edge, name));
  }

  #beat(): void {
    this.#say();
    const nowMs = this.#options.clock.monotonicMs();
    const pauseMs = this.#pauses.beat(nowMs);
    for (const host of this.#hosts.values()) {
      host.seenMs += pauseMs;
      const silentMs = nowMs - host.seenMs;
      if (silentMs > AWAY_MS) this.#setAway(host, true);
      if (silentMs > LOST_MS) this.#lose(host, 'the host is silent');
      if (this.#options.isRemoved(host.name)) this.#remove(host);
    }
  }

  #say(more: { readonly leaving?: true } = {}): void {
    const publicUrl = this.#options.publicUrl();
    this.tell({ kind: 'here', edge: this.#edge, number: ++this.#lastNotice, publicUrl, ...more });
  }

  #meet(name: string, payload: Uint8Array): void {
    const presence = JSON.parse(Buffer.from(payload).toString()) as Presence;
    if (presence.host !== name || this.#options.isRemoved(name)) return;
    const seenMs = this.#options.clock.monotonicMs();
    const known = this.#hosts.get(name);
    if (!known) {
      const host = { name, presence, seenMs, isAway: false, channels: new Map(), pictures: new ReceivedPictures() };
      this.#hosts.set(name, host);
      this.#options.onHost(presence, 'here');
      return this.#options.onPresence(host);
    }
    // An earlier start of the host, which is not heard any more.
    if (presence.epoch < known.presence.epoch) return;
    const isAnother = presence.epoch !== known.presence.epoch || presence.connection !== known.presence.connection;
    if (presence.leaving) this.#lose(known, 'the host stops');
    else if (isAnother) this.#lose(known, 'the host has started or connected anew');
    known.presence = presence;
    known.seenMs = seenMs;
    // It has not been missed, and has missed itself what was said meanwhile.
    if (isAnother && !known.isAway && !presence.leaving) this.#options.onHost(presence, 'here');
    this.#setAway(known, presence.leaving === true);
    if (!presence.leaving) this.#options.onPresence(known);
  }

  #setAway(host: KnownHost, isAway: boolean): void {
    if (host.isAway === isAway) return;
    host.isAway = isAway;
    this.#options.onHost(host.presence, isAway ? 'away' : 'here');
  }

  #remove(host: KnownHost): void {
    this.#lose(host, 'the host was removed');
    this.#hosts.delete(host.name);
    this.#options.onHost(host.presence, 'away');
  }

  #lose(host: KnownHost, why: string): void {
    const lost = [...host.channels.values()];
    host.channels.clear();
    host.pictures = new ReceivedPictures();
    for (const { channel, lost: tell } of lost) {
      channel.end();
      tell(why);
    }
  }
}
