import { setTimeout as sleep } from 'node:timers/promises';
import { FarLink, type LinkProfile } from '../../far/far-link.ts';
import type { PhotonFigures, PhotonJob } from '../../photon/job.ts';
import { startBareScreen } from '../../processes/bare-screen.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { OPENING_MS, openMotion, openTouchLab } from '../../processes/open-app.ts';
import { PhotonProcess } from '../../processes/photon-process.ts';
import { screenTarget } from '../../processes/screen-target.ts';
import type { ServerProcess } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { FarRow } from './rows.ts';

/** 2 Mbit/s, across an ocean, with a wireless hop. */
export const LINK: LinkProfile = { bytesPerSecond: 250_000, roundTripMs: 50, loss: 0.01 };
/** The same with 1 Mbit/s, which does not carry a moving screen. */
const SLOW_LINK: LinkProfile = { ...LINK, bytesPerSecond: 125_000 };
const NEAR_VIEWERS = 20;

/** How long the link is dead, and how soon after that a viewer is to be served as before. */
const STALL_MS = 1_000;
const RECOVERY_MS = 2_000;

/** A moving screen as the far viewer gets it, before the link stalled and after it had time to recover. */
export interface StallFigures {
  readonly beforePerSecond: number;
  readonly afterPerSecond: number;
  readonly beforeDelayMs: number;
  readonly afterDelayMs: number;
}

/** A moving screen as the only viewer gets it, over a link that does not carry all of it. */
export interface SlowFigures {
  readonly perSecond: number;
  /** Share of the bytes that are key pictures. */
  readonly keyShare: number;
  /** From the capture to the arrival. */
  readonly delayP50Ms: number;
  readonly delayP95Ms: number;
  readonly delayP99Ms: number;
}

/** A bare screen of each encoding, with a far link to it. */
type BareScreens = Readonly<Record<FarRow['encoding'], { readonly server: ServerProcess; readonly link: FarLink }>>;

/** The service with near viewers and a far link to it, bare screens with one, and the process that taps. Nothing is bound to a core. */
export class FarBed {
  readonly #service: Service;
  readonly #session: ServiceSession;
  readonly #bare: BareScreens;
  readonly #link: FarLink;
  readonly #photon = new PhotonProcess();
  readonly #near = new CrowdProcess({ yields: true });
  readonly #far = new CrowdProcess();
  #app: 'Touch Lab' | 'Motion' | undefined;

  private constructor(service: Service, session: ServiceSession, link: FarLink, bare: BareScreens) {
    this.#service = service;
    this.#session = session;
    this.#link = link;
    this.#bare = bare;
  }

  static async open(): Promise<FarBed> {
    const started: { stop(): Promise<void> }[] = [];
    try {
      const service = await Service.start();
      started.push(service);
      const openBare = async (encoding: FarRow['encoding']) => {
        const server = await startBareScreen(encoding);
        started.push(server);
        return { server, link: await FarLink.open(server.port, LINK) };
      };
      const bare = { tiles: await openBare('tiles'), h264: await openBare('h264') };
      const session = await service.createSession('ios');
      const bed = new FarBed(service, session, await FarLink.open(service.server.port, LINK), bare);
      // From here on it ends them itself.
      started.splice(0, started.length, bed);
      await bed.#near.open(screenTarget(service, session), NEAR_VIEWERS);
      return bed;
    } catch (error) {
      await Promise.all(started.map((each) => each.stop()));
      throw error;
    }
  }

  /** Taps for this time, one tap after the other. */
  async tap(row: FarRow, tapMs: number): Promise<PhotonFigures> {
    await this.#show('Touch Lab');
    if (row.besideFar) await this.#far.open(this.#farTarget, 1);
    try {
      return await this.#photon.run({ job: this.#job(row), tapMs, stillMs: 0 });
    } finally {
      if (row.besideFar) await this.#far.close();
    }
  }

  /** Lets the link of a far viewer stall, who watches a moving screen in H.264. */
  async stall(measureMs: number): Promise<StallFigures> {
    await this.#show('Motion');
    await this.#far.open(this.#farTarget, 1);
    try {
      // A link of unknown speed begins slowly.
      await sleep(RECOVERY_MS);
      const before = await this.#far.measure(measureMs);
      this.#link.stall(STALL_MS);
      await sleep(STALL_MS + RECOVERY_MS);
      const after = await this.#far.measure(measureMs);
      return {
        beforePerSecond: before.packets / before.seconds,
        afterPerSecond: after.packets / after.seconds,
        beforeDelayMs: before.delay.p50Us / 1_000,
        afterDelayMs: after.delay.p50Us / 1_000,
      };
    } finally {
      await this.#far.close();
    }
  }

  /** Lets a viewer on a slow link watch a moving screen alone. The near viewers are gone from then on. */
  async slow(measureMs: number): Promise<SlowFigures> {
    await this.#show('Motion');
    await this.#near.close();
    const link = await FarLink.open(this.#service.server.port, SLOW_LINK);
    try {
      await this.#far.open({ ...this.#farTarget, port: link.port }, 1);
      await sleep(2 * RECOVERY_MS);
      const { packets, seconds, first, delay } = await this.#far.measure(measureMs);
      const bytesOf = (some: typeof first): number => some.reduce((sum, { bytes }) => sum + bytes, 0);
      return {
        perSecond: packets / seconds,
        keyShare: bytesOf(first.filter(({ key }) => key)) / bytesOf(first),
        delayP50Ms: delay.p50Us / 1_000,
        delayP95Ms: delay.p95Us / 1_000,
        delayP99Ms: delay.p99Us / 1_000,
      };
    } finally {
      await this.#far.close();
      link.close();
    }
  }

  /** The end of the service's standard error, for the message of a failure. */
  lastWords(): string {
    return this.#service.server.lastWords();
  }

  async stop(): Promise<void> {
    const bare = Object.values(this.#bare);
    await Promise.all(
      [this.#near, this.#far, this.#photon, ...bare.map(({ server }) => server)].map((each) => each.stop()),
    );
    for (const link of [this.#link, ...bare.map((each) => each.link)]) link.close();
    await this.#service.stop();
  }

  get #farTarget() {
    return { ...screenTarget(this.#service, this.#session), port: this.#link.port };
  }

  #job({ isFar, encoding, isBare }: FarRow): PhotonJob {
    if (isBare) return { kind: 'bare', encoding, url: `ws://127.0.0.1:${this.#bare[encoding].link.port}/` };
    const control = new URL(this.#session.control.url);
    if (isFar) control.port = String(this.#link.port);
    return { kind: 'socket', encoding, session: { control: control.href, key: this.#service.key, viewer: '' } };
  }

  /** Opens an app from the home screen, unless it is open. */
  async #show(app: 'Touch Lab' | 'Motion'): Promise<void> {
    if (this.#app === app) return;
    await this.#service.post(this.#session.interactionsPath, { action: 'pressButton', button: 'home' });
    await sleep(OPENING_MS);
    await (app === 'Motion' ? openMotion : openTouchLab)(this.#service, this.#session);
    await sleep(OPENING_MS);
    this.#app = app;
  }
}
