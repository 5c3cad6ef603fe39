import { Emitter } from '../../core/emitter.ts';
import type { FromServer, ScreenHeader } from '../protocol.ts';
import type { ScreenPacket, Viewer } from '../viewer.ts';
import { codecOf, encodingsFor, makeDecoder, type Way, wayFor } from './choose.ts';
import type { Decoder, Picture } from './decoder.ts';
import { LeftOut } from './left-out.ts';

/**
 * The session's screen as decoded pictures. It asks for what this browser can decode, acknowledges each packet when
 * its picture was shown, and skips to a key packet when decoding fails or falls behind.
 */
export interface ScreenEvents {
  /** To be drawn at once; the stream closes the picture afterwards. */
  readonly picture: Picture;
  readonly started: { readonly way: Way; readonly encoding: FromServer<'screen.started'>['encoding'] };
  /** No way is left to show this session in this browser. */
  readonly impossible: undefined;
}

/** Bounds of the pictures that a stream asks for: pictures a second, and pixels of the longer edge. */
export interface ScreenProfile {
  readonly maxFps?: number;
  readonly maxLongEdge?: number;
}

/** More packets than this inside the decoder is delay that builds up: they are given up for a key packet. */
const WAITING_MAX = 6;
/** Faults of one way without a picture between them, after which the next way is tried. */
const FAULTS_MAX = 3;

export class ScreenStream extends Emitter<ScreenEvents> {
  readonly #viewer: Viewer;
  readonly #ways: Set<Way>;
  /** The bounds that the pictures are to have now. */
  #profile: () => ScreenProfile;
  /** Those that were asked for last. */
  #asked: ScreenProfile | undefined;
  /** An answer to `screen.start` is under way: two would come in any order, since the larger picture takes longer. */
  #starting = false;
  #decoder: Decoder | undefined;
  #codec = '';
  #streamId: number | undefined;
  #needsKey = true;
  #faults = 0;
  /** The packet that the decoder was given last. */
  #newest: ScreenHeader | undefined;
  /** The link has left out too many pictures of an encoding that is large where the whole screen moves. */
  #isSlow = false;
  readonly #leftOut = new LeftOut();

  constructor(viewer: Viewer, ways: ReadonlySet<Way>, profile: ScreenProfile = {}) {
    super();
    this.#profile = () => profile;
    this.#viewer = viewer;
    this.#ways = new Set(ways);
    // The page learns from the same event how large it shows the device, and has done so in the next turn.
    viewer.on('ready', ({ resumed = false }) => queueMicrotask(() => this.#connected(resumed)));
    viewer.on('screen.started', (started) => this.#started(started));
    viewer.on('screen.stopped', ({ streamId }) => {
      if (streamId === this.#streamId) this.#streamId = undefined;
    });
    viewer.on('packet', (packet) => this.#packet(packet));
  }

  /** Asks for the screen, anew. */
  start(): void {
    if (this.#starting) return;
    this.#stop();
    const offered = this.#viewer.ready?.capabilities.screenEncodings ?? [];
    const encodings = encodingsFor(this.#ways, offered, this.#isSlow);
    if (encodings.length === 0) this.emit('impossible', undefined);
    else {
      this.#asked = this.#profile();
      this.#starting = this.#viewer.tell({ type: 'screen.start', encodings, ...this.#asked });
    }
  }

  /** Lets the page say which bounds the pictures are to have; call `refresh` when they may have changed. */
  boundBy(profile: () => ScreenProfile): void {
    this.#profile = profile;
  }

  /** Asks for pictures with other bounds, if they have changed; the last picture stays until there is a new one. */
  refresh(): void {
    if (this.#asked && !this.#starting && !isSame(this.#asked, this.#profile())) this.start();
  }

  /** @param resumed the stream goes on by itself, with a key packet */
  #connected(resumed: boolean): void {
    this.#leftOut.forget();
    if (resumed && this.#streamId !== undefined) return this.refresh();
    this.#starting = false;
    this.start();
  }

  get #canShowVideo(): boolean {
    return encodingsFor(this.#ways, this.#viewer.ready?.capabilities.screenEncodings ?? []).includes('h264');
  }

  #stop(): void {
    if (this.#streamId !== undefined) this.#viewer.tell({ type: 'screen.stop', streamId: this.#streamId });
    this.#streamId = undefined;
    this.#decoder?.close();
    this.#decoder = undefined;
  }

  #started({ streamId, encoding, codec }: FromServer<'screen.started'>): void {
    this.#starting = false;
    const current = this.#streamId;
    if (current !== undefined && current !== streamId) {
      // What stopped the older one, or told of it, was lost with a socket.
      this.#viewer.tell({ type: 'screen.stop', streamId: Math.min(current, streamId) });
      if (streamId < current) return;
    }
    const named = codecOf(codec);
    const way = wayFor(this.#ways, encoding, named);
    if (way === undefined) {
      this.#giveUp('software', streamId);
      return;
    }
    this.#streamId = streamId;
    // Another size alone needs no other decoder: its key packet brings the new parameters.
    if (this.#decoder?.name === way && (way !== 'webcodecs' || named === this.#codec)) return;
    this.#decoder?.close();
    this.#codec = named;
    this.#needsKey = true;
    this.#decoder = makeDecoder(way, named, {
      onPicture: (picture) => this.#show(picture),
      onFault: () => this.#fault(way),
    });
    this.emit('started', { way, encoding });
    this.refresh();
  }

  #packet({ header, payload }: ScreenPacket): void {
    const decoder = this.#decoder;
    if (!decoder || header.streamId !== this.#streamId) return;
    if (this.#leftOut.isTooMuch(header, performance.now()) && decoder.name === 'tiles' && !this.#isSlow) {
      this.#isSlow = true;
      if (this.#canShowVideo) return this.start();
    }
    if (header.key) {
      // The packets that the decoder still holds are older than this complete picture.
      if (decoder.waiting > WAITING_MAX) decoder.reset();
      this.#needsKey = false;
    } else if (this.#needsKey) {
      // Acknowledged although it is not shown: the server's window stays open for the key packet.
      this.#acknowledge(header);
      return;
    } else if (decoder.waiting > WAITING_MAX) {
      decoder.reset();
      this.#acknowledge(header);
      this.#askForKey();
      return;
    }
    this.#newest = header;
    decoder.decode(header, payload);
  }

  #show(picture: Picture): void {
    this.#faults = 0;
    this.emit('picture', picture);
    this.#acknowledge(picture.header);
    picture.close();
  }

  #fault(way: Way): void {
    // The server's window would stay shut for the key packet that is asked for.
    if (this.#newest && this.#newest.streamId === this.#streamId) this.#acknowledge(this.#newest);
    this.#faults += 1;
    if (this.#faults >= FAULTS_MAX && way !== 'image') this.#giveUp(way, this.#streamId);
    else this.#askForKey();
  }

  /** Starts over without a way that does not work here. */
  #giveUp(way: Way, streamId: number | undefined): void {
    this.#faults = 0;
    this.#ways.delete(way);
    this.#streamId = streamId;
    this.start();
  }

  #askForKey(): void {
    this.#needsKey = true;
    if (this.#streamId !== undefined) this.#viewer.tell({ type: 'screen.keyframe', streamId: this.#streamId });
  }

  #acknowledge({ streamId, seq }: ScreenHeader): void {
    this.#viewer.tell({ type: 'screen.ack', streamId, seq });
  }
}

const isSame = (one: ScreenProfile, other: ScreenProfile): boolean =>
  one.maxFps === other.maxFps && one.maxLongEdge === other.maxLongEdge;
