import { CONTROL_SUBPROTOCOL, encodeClientMessage, type SessionRecord } from '@runcloud/protocol';
import { type SeenPacket, Viewer } from '../../bench/viewers/viewer.ts';

export interface ReturningViewerOptions {
  /** Asked whenever a connection is opened. */
  readonly url: () => string;
  /** What is watched now. */
  readonly session: () => SessionRecord;
  readonly authorization: string;
  /** Pictures a second, at most, and the pixels of their longer side. */
  readonly maxFps: number;
  readonly maxLongEdge: number;
  readonly onPacket: (packet: SeenPacket) => void;
}

/** So long it rests at most before it connects again. */
const PAUSE_MS_MAX = 500;

/** A viewer that looks at no picture, and connects again whenever its connection is lost. */
export class ReturningViewer {
  /** Connections behind the first. */
  returns = 0;
  readonly #options: ReturningViewerOptions;
  #viewer: Viewer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(options: ReturningViewerOptions) {
    this.#options = options;
    this.#open();
  }

  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#viewer?.close();
  }

  #open(): void {
    const { url, session, authorization, maxFps, maxLongEdge, onPacket } = this.#options;
    const { hostname: host, port } = new URL(url());
    const { platform, id } = session();
    const target = {
      host,
      port: Number(port),
      path: `/service/${platform}/${id}/control`,
      headers: { Authorization: authorization, 'Sec-WebSocket-Protocol': CONTROL_SUBPROTOCOL },
      start: encodeClientMessage({ type: 'screen.start', encodings: ['h264'], maxFps, maxLongEdge }),
      acknowledges: true,
    };
    const viewer = new Viewer(target, {
      opened: () => undefined,
      packet: (packet) => {
        if (this.#viewer === viewer) onPacket(packet);
      },
      failed: () => this.#again(viewer),
    });
    this.#viewer = viewer;
  }

  #again(viewer: Viewer): void {
    if (this.#viewer !== viewer || this.#isOver) return;
    this.#viewer = undefined;
    viewer.close();
    this.returns++;
    this.#timer = setTimeout(() => this.#open(), Math.random() * PAUSE_MS_MAX);
  }
}
