import { Emitter } from '../../core/emitter.ts';
import type { FromServer, ScreenHeader } from '../protocol.ts';
import type { ScreenPacket, Viewer } from '../viewer.ts';
import { codecOf, encodingsFor, makeDecoder, type Way, wayFor } from './choose.ts';
import type { Decoder, Picture } from './decoder.ts';

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

/** More packets than this inside the decoder is delay that builds up: they are given up for a key packet. */
const WAITING_MAX = 6;
/** Faults of one way without a picture between them, after which the next way is tried. */
const FAULTS_MAX = 3;

export class ScreenStream extends Emitter<ScreenEvents> {
  readonly #viewer: Viewer;
  readonly #ways: Set<Way>;
  #decoder: Decoder | undefined;
  #codec = '';
  #streamId: number | undefined;
  #needsKey = true;
  #faults = 0;

  constructor(viewer: Viewer, ways: ReadonlySet<Way>) {
    super();
    this.#viewer = viewer;
    this.#ways = new Set(ways);
    viewer.on('ready', () => this.start());
    viewer.on('screen.started', (started) => this.#started(started));
    viewer.on('screen.stopped', ({ streamId }) => {
      if (streamId === this.#streamId) this.#streamId = undefined;
    });
    viewer.on('packet', (packet) => this.#packet(packet));
  }

  /** Asks for the screen, anew after each connection. */
  start(): void {
    this.#stop();
    const offered = this.#viewer.ready?.capabilities.screenEncodings ?? [];
    const encodings = encodingsFor(this.#ways, offered);
    if (encodings.length === 0) this.emit('impossible', undefined);
    else this.#viewer.tell({ type: 'screen.start', encodings });
  }

  #stop(): void {
    if (this.#streamId !== undefined) this.#viewer.tell({ type: 'screen.stop', streamId: this.#streamId });
    this.#streamId = undefined;
    this.#decoder?.close();
    this.#decoder = undefined;
  }

  #started({ streamId, encoding, codec }: FromServer<'screen.started'>): void {
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
  }

  #packet({ header, payload }: ScreenPacket): void {
    const decoder = this.#decoder;
    if (!decoder || header.streamId !== this.#streamId) return;
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
    decoder.decode(header, payload);
  }

  #show(picture: Picture): void {
    this.#faults = 0;
    this.emit('picture', picture);
    this.#acknowledge(picture.header);
    picture.close();
  }

  #fault(way: Way): void {
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
