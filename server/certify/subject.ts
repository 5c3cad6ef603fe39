import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Capabilities,
  type Control,
  type InteractionRequest,
  isCapacityError,
  type RunCloud,
  type Session,
} from '../../client/sdk/index.ts';
import { type RgbPicture, readCard, type SeenCard } from '../test-card/read-card.ts';
import { Measured } from './measured.ts';
import { changedShare, decodePicture } from './picture.ts';

/** An effect is expected in a screenshot that is requested within this time after the acknowledgement. */
const EFFECT_MS = 1_500;
/** How long a missing effect is waited for, to tell one that is late from one that never comes. */
const LATE_MS = 4_000;
/** A browser may start first. */
const OPEN_MS = 20_000;
const POLL_MS = 30;
/** How long a device is waited for: it may have to boot first, or somebody may have it. */
export const DEVICE_MS = 300_000;
const DEVICE_POLL_MS = 500;
/** A session that nobody releases, because this process was killed, ends by itself after this. */
const INACTIVITY_TIMEOUT = '2m';

export interface Pixel {
  readonly x: number;
  readonly y: number;
}

/** The display does not show what it has to. */
export class NotSeen extends Error {}

/** The parts of the service and of the machine that a row needs to be tried. */
export interface Ground {
  readonly cloud: RunCloud;
  readonly platform: 'ios' | 'android';
  /** Any device of the platform where absent. */
  readonly deviceModel?: string | undefined;
  /** Of each session. */
  readonly labels: Readonly<Record<string, string>>;
  /** Whether the service offers this device alone, so that a second session has to be refused. */
  readonly exclusive: boolean;
  /** Address of the test card for the browser of a driver's device. */
  cardUrl(driver: string, nonce: number): string;
  /** For files that are needed for a moment. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** The device, reached as any client reaches it, and judged by its pictures. */
export class Subject {
  readonly ground: Ground;
  readonly measured = new Measured();
  #session: Session | undefined;
  #picture: RgbPicture | undefined;
  #card: SeenCard | undefined;
  #nonce = 0;
  #lastInputMs = 0;
  readonly #atEnd: (() => Promise<unknown>)[] = [];

  constructor(ground: Ground) {
    this.ground = ground;
  }

  get session(): Session {
    if (!this.#session) throw new Error('there is no session');
    return this.#session;
  }

  get control(): Control {
    const { control } = this.session;
    if (!control) throw new Error('the control socket is closed');
    return control;
  }

  get can(): Capabilities {
    const { ready } = this.control;
    return ready.capabilities;
  }

  /** The newest picture that was looked at. */
  get picture(): RgbPicture | undefined {
    return this.#picture;
  }

  /** The card as it was seen last. */
  get card(): SeenCard {
    if (!this.#card) throw new NotSeen('the test card has not been seen');
    return this.#card;
  }

  get nonce(): number {
    return this.#nonce;
  }

  get hasSession(): boolean {
    return this.#session !== undefined;
  }

  /** @param snapshot what its device begins with */
  async begin(deviceModel = this.ground.deviceModel, snapshot?: string): Promise<Session> {
    const { signal } = this.ground;
    this.#session = await this.#created(deviceModel, snapshot);
    await this.#session.connect({ signal });
    this.#card = undefined;
    return this.#session;
  }

  /** Waits until a device is free. */
  async #created(deviceModel: string | undefined, snapshot: string | undefined): Promise<Session> {
    const { cloud, platform, labels, signal } = this.ground;
    const endMs = performance.now() + DEVICE_MS;
    const request = {
      platform,
      ...(deviceModel === undefined ? {} : { deviceModel }),
      ...(snapshot === undefined ? {} : { snapshot }),
      inactivityTimeout: INACTIVITY_TIMEOUT,
      labels,
    };
    for (;;) {
      try {
        return await cloud.sessions.create(request, { signal });
      } catch (error) {
        if (!isCapacityError(error) || performance.now() > endMs) throw error;
        await sleep(DEVICE_POLL_MS, undefined, { signal });
      }
    }
  }

  /** Releases the session. */
  async end(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.delete();
    for (const act of this.#atEnd.splice(0)) await act();
  }

  /** Does something once the session has ended: what it uses cannot be deleted before. */
  atEnd(act: () => Promise<unknown>): void {
    this.#atEnd.push(act);
  }

  /** Releases the session, and gets the same device with a new one: the service may give another of its model first. */
  async beginAgain(snapshot?: string): Promise<Session> {
    const { id, model } = this.session.record.device;
    const endMs = performance.now() + DEVICE_MS;
    await this.end();
    for (;;) {
      const session = await this.begin(model, snapshot);
      if (session.record.device.id === id) return session;
      await this.end();
      if (performance.now() > endMs) throw new NotSeen(`the sessions after it got other devices than ${model}`);
      await sleep(DEVICE_POLL_MS, undefined, { signal: this.ground.signal });
    }
  }

  /** Upright, with a new card in front: each row begins like this. */
  async prepare(): Promise<void> {
    const { signal } = this.ground;
    signal.throwIfAborted();
    if (!this.can.openUrl) return;
    const before = await this.look();
    if (before.width > before.height && this.can.actions.includes('rotate')) {
      await this.session.rotate('portrait', { signal });
      await this.until('the display is upright again', OPEN_MS, ({ width, height }) => height > width);
    }
    await this.openCard();
  }

  /** Waits until no input can still come late, and be taken for one of the next row. */
  async settle(): Promise<void> {
    const restMs = this.#lastInputMs + LATE_MS - performance.now();
    if (restMs > 0) await sleep(restMs, undefined, { signal: this.ground.signal });
  }

  async openCard(): Promise<SeenCard> {
    const { cardUrl, signal } = this.ground;
    this.#nonce = (this.#nonce + 1 + Math.floor(Math.random() * 200)) % 256;
    await this.session.openUrl(cardUrl(this.session.record.device.driver, this.#nonce), { signal });
    let before: SeenCard | undefined;
    // A window that opens moves at first, and the card with it.
    await this.until('the card that was opened', OPEN_MS, (_picture, card) => {
      const rests = JSON.stringify(card?.area) === JSON.stringify(before?.area);
      before = card;
      return rests && card?.readings.nonce === this.#nonce;
    });
    this.#lastInputMs = performance.now();
    return this.card;
  }

  /** Takes a screenshot and reads its card. */
  async look(): Promise<RgbPicture> {
    const picture = await decodePicture(await this.session.screenshot({ signal: this.ground.signal }));
    const isLikeBefore = this.#picture?.width === picture.width;
    this.#picture = picture;
    this.#card = readCard(picture, isLikeBefore ? this.#card?.area : undefined) ?? undefined;
    return picture;
  }

  /** Waits until the card fits, as long as an effect may take. Rejects with `NotSeen`, which tells what there was instead. */
  async see(what: string, fits: (card: SeenCard) => boolean): Promise<SeenCard> {
    const isSeen = (card: SeenCard | undefined) => card?.readings.nonce === this.#nonce && fits(card);
    this.measured.seen(await this.until(what, EFFECT_MS, (_picture, card) => isSeen(card)));
    return this.card;
  }

  /** Resolves with the milliseconds until a screenshot that fits was there. It has to be requested in time, and may take its own. */
  async until(
    what: string,
    withinMs: number,
    fits: (picture: RgbPicture, card: SeenCard | undefined) => boolean,
  ): Promise<number> {
    const sinceMs = performance.now();
    const endMs = Math.max(withinMs, LATE_MS);
    for (;;) {
      const afterMs = performance.now() - sinceMs;
      const picture = await this.look();
      if (fits(picture, this.#card)) {
        if (afterMs <= withinMs) return performance.now() - sinceMs;
        throw new NotSeen(`${what}: seen only ${Math.round(afterMs)} ms after the acknowledgement`);
      }
      if (afterMs > endMs) throw new NotSeen(`${what}: not seen within ${endMs} ms; instead, ${this.#instead()}`);
      await sleep(POLL_MS, undefined, { signal: this.ground.signal });
    }
  }

  /** Waits until two pictures after another are alike: what opens moves at first. */
  async still(what: string): Promise<RgbPicture> {
    let before = await this.look();
    await this.until(`${what}, at rest`, OPEN_MS, (picture) => {
      const rests = changedShare(before, picture) < 0.000_5;
      before = picture;
      return rests;
    });
    return before;
  }

  /** Does something that has to change the picture. */
  async changes(what: string, act: () => Promise<unknown>): Promise<void> {
    const before = await this.look();
    await act();
    await this.until(what, EFFECT_MS, (picture) => changedShare(before, picture) > 0.000_5);
  }

  /** Performs an interaction that has to complete, and notes its times. */
  async do(request: InteractionRequest): Promise<void> {
    const sentMs = performance.now();
    this.#lastInputMs = sentMs;
    let dispatchedMs: number | undefined;
    for await (const stage of this.session.stages(request, { signal: this.ground.signal })) {
      if (stage.type === 'dispatched') dispatchedMs ??= performance.now();
      if (stage.type !== 'result') continue;
      if (!stage.ok)
        throw new Error(`${request.action} was not performed: ${stage.error?.code}: ${stage.error?.message}`);
      if (dispatchedMs !== undefined) this.measured.performed(request.action, sentMs, dispatchedMs, performance.now());
    }
  }

  tap(at: Pixel, requestId?: string): Promise<void> {
    return this.do({ action: 'tap', ...this.share(at), ...(requestId === undefined ? {} : { requestId }) });
  }

  /** The pixel of the picture at shares of the card. */
  pixel(x: number, y: number): Pixel {
    const { area } = this.card;
    return { x: area.x + Math.floor(x * area.width), y: area.y + Math.floor(y * area.height) };
  }

  /** The coordinates that mean a pixel of the picture: its middle, in shares of the display. */
  share({ x, y }: Pixel): Pixel {
    const { width, height } = this.#picture ?? { width: 1, height: 1 };
    return { x: (x + 0.5) / width, y: (y + 0.5) / height };
  }

  #instead(): string {
    if (!this.#card) return 'there is no readable test card in the picture';
    const { readings, marks } = this.#card;
    const { nonce: _nonce, visits: _visits, grain: _grain, textHash: _hash, ...counts } = readings;
    const told = Object.entries(counts).flatMap(([name, value]) => (value === 0 ? [] : `${name} ${value}`));
    const touched = marks.slice(0, 4).map(({ x, y }) => `${x},${y}`);
    const places = touched.length > 0 ? `, touched at ${touched.join(' ')}` : '';
    return `the card says ${told.join(', ') || 'that nothing arrived'}${places}`;
  }
}
