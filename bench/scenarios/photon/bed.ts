import { setTimeout as sleep } from 'node:timers/promises';
import type { BareEncoding } from '../../controls/bare-screen-messages.ts';
import type { PhotonJob, PhotonSession } from '../../photon/job.ts';
import { SCREEN_SIZE } from '../../photon/marked-screen.ts';
import { startBareScreen } from '../../processes/bare-screen.ts';
import { OPENING_MS, openTouchLab } from '../../processes/open-app.ts';
import { PhotonProcess } from '../../processes/photon-process.ts';
import type { ServerProcess } from '../../processes/server-process.ts';
import { Service } from '../../processes/service.ts';
import { STAGE_WATCH, STAGES_DIR } from '../../processes/stage-watch.ts';
import { PEER_KINDS, type PhotonRow, VNC_FRAME_RATE } from './rows.ts';

/** The service with a session that shows Touch Lab, and the process that taps and watches. Nothing is bound to a core. */
export class PhotonBed {
  readonly photon = new PhotonProcess();
  #service: Service | undefined;
  readonly #bare = new Map<BareEncoding, ServerProcess>();
  #session: PhotonSession | undefined;

  /**
   * @param rows what is to be measured
   * @param stagesDir where the service notes the stages of inputs and pictures
   */
  static async open(rows: readonly PhotonRow[], stagesDir: string): Promise<PhotonBed> {
    const bed = new PhotonBed();
    const kinds = new Set(rows.map(({ kind }) => kind));
    try {
      if (kinds.has('bare') || kinds.has('barePage')) bed.#bare.set('tiles', await startBareScreen('tiles'));
      if (kinds.has('bareJpeg')) bed.#bare.set('jpeg', await startBareScreen('jpeg'));
      if (kinds.has('bareVideo')) bed.#bare.set('h264', await startBareScreen('h264'));
      if (rows.some(({ kind }) => !PEER_KINDS.includes(kind))) await bed.#startService(stagesDir);
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  async #startService(stagesDir: string): Promise<void> {
    this.#service = await Service.start(undefined, STAGE_WATCH, { [STAGES_DIR]: stagesDir });
    const { origin, key } = this.#service;
    const { id, url } = await this.#service.post('/service/sessions', { platform: 'ios' });
    const path = `/service/ios/${id}`;
    await openTouchLab(this.#service, { interactionsPath: `${path}/interactions` });
    await sleep(OPENING_MS);
    this.#session = { control: `${origin.replace('http', 'ws')}${path}/control`, key, viewer: String(url) };
  }

  job({ kind }: PhotonRow): PhotonJob {
    if (kind === 'screencast' || kind === 'vnc') return { kind, ...SCREEN_SIZE };
    if (kind === 'vncFast') return { kind: 'vnc', ...SCREEN_SIZE, frameRate: VNC_FRAME_RATE };
    if (kind === 'bare') return { kind, encoding: 'tiles', url: `ws:${this.#bareAddress('tiles')}` };
    if (kind === 'bareJpeg') return { kind: 'bare', encoding: 'jpeg', url: `ws:${this.#bareAddress('jpeg')}` };
    if (kind === 'bareVideo') return { kind: 'bare', encoding: 'h264', url: `ws:${this.#bareAddress('h264')}` };
    if (kind === 'barePage') return { kind: 'page', bare: true, url: `http:${this.#bareAddress('tiles')}` };
    const session = this.#session;
    if (!session) throw new Error('the service is not running');
    return kind === 'page' ? { kind, url: session.viewer } : { kind: 'socket', encoding: kind, session };
  }

  #bareAddress(encoding: BareEncoding): string {
    const bare = this.#bare.get(encoding);
    if (!bare) throw new Error('the bare screen is not running');
    return `//${bare.host}:${bare.port}/`;
  }

  /** The end of the service's standard error, for the message of a failure. */
  lastWords(): string {
    return this.#service?.server.lastWords() ?? '';
  }

  async close(): Promise<void> {
    await Promise.all([
      this.photon.stop(),
      ...[...this.#bare.values()].map((each) => each.stop()),
      this.#service?.stop(),
    ]);
  }
}
