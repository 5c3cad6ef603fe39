import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import { PNG_PATHS } from '../../controls/png-paths.ts';
import { placeOf } from '../../photon/places.ts';
import { OPENING_MS, openTouchLab } from '../../processes/open-app.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service } from '../../processes/service.ts';
import { StillsProcess } from '../../processes/stills-process.ts';
import { encodeBare } from '../../stills/bare-encoder.ts';
import { HttpStills } from '../../stills/http-stills.ts';
import type { StillsJob, StillsSession } from '../../stills/job.ts';
import type { ScreenshotRow } from './rows.ts';

/** The size of the service's picture, for controls that are measured without the service. */
const USUAL_SIZE = { width: 590, height: 1280 } as const;

/** The service with a session that shows Touch Lab, the bare server, and the process that takes stills. */
export class ScreenshotBed {
  readonly stills = new StillsProcess();
  readonly #folder = mkdtempSync(join(tmpdir(), 'runcloud-bench-still-'));
  #service: Service | undefined;
  #session: StillsSession | undefined;
  #control: ServerProcess | undefined;
  #png: Uint8Array = new Uint8Array();

  static async open(controlsOnly: boolean): Promise<ScreenshotBed> {
    const bed = new ScreenshotBed();
    try {
      bed.#png = controlsOnly ? await usualPicture() : await bed.#startService();
      await bed.#startControl();
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  job({ kind, changed }: ScreenshotRow): StillsJob {
    if (kind === 'library' || kind === 'own encoder') return { kind, png: this.#png };
    if (kind === 'rest' || kind === 'socket') {
      if (!this.#session) throw new Error('the service is not running');
      return { kind, changed, session: this.#session };
    }
    if (!this.#control) throw new Error('the bare server is not running');
    const { host, port } = this.#control;
    return { kind: 'route', host, port, path: kind === 'encoded route' ? PNG_PATHS.encoded : PNG_PATHS.bytes };
  }

  /** The end of the service's standard error, for the message of a failure. */
  lastWords(): string {
    return this.#service?.server.lastWords() ?? '';
  }

  async close(): Promise<void> {
    await Promise.all([this.stills.stop(), this.#service?.stop(), this.#control?.stop()]);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Starts the service and opens the app; returns the screenshot that the controls encode and send. */
  async #startService(): Promise<Uint8Array> {
    this.#service = await Service.start();
    const { server, key } = this.#service;
    const { id, interactionsPath } = await this.#service.createSession('ios');
    await openTouchLab(this.#service, { interactionsPath });
    await sleep(OPENING_MS);
    await this.#service.post(interactionsPath, { action: 'tap', ...placeOf(0) });
    this.#session = { host: server.host, port: server.port, path: `/service/ios/${id}`, key };
    const path = `${this.#session.path}/screenshot`;
    const stills = await HttpStills.open({ ...this.#session, path }, { Authorization: `Bearer ${key}` });
    try {
      return await stills.fetch();
    } finally {
      stills.close();
    }
  }

  async #startControl(): Promise<void> {
    const file = join(this.#folder, 'picture.png');
    writeFileSync(file, this.#png);
    const env = { [CONTROL_ANSWER]: Buffer.from(file).toString('base64') };
    this.#control = await startServer({ name: 'uWS PNG', file: 'bench/controls/uws-png.ts', env });
  }
}

/** A picture with about as much detail as an app's, for controls that are measured without the service. */
function usualPicture(): Promise<Uint8Array> {
  const { width, height } = USUAL_SIZE;
  const pixels = new Uint8Array(width * height * 4).fill(255);
  for (let at = 0; at < pixels.length; at += 4)
    pixels[at] = Math.floor(at / width / 16) % 7 === 0 ? (at / 4) % 251 : 16;
  return encodeBare({ pixels, width, height });
}
