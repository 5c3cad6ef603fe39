import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Acknowledgement, DeviceCapabilities, Platform, SessionRecord } from '@runcloud/protocol';
import type { Inspection } from '../../server/device/driver.ts';
import { decodePng, type Pixels } from '../support/picture.ts';
import { ScreenWatcher } from '../support/screen-watcher.ts';
import type { TestServer } from '../support/server.ts';
import { assertWellFormed } from './acknowledgement.ts';
import { abilities, type DeviceFloor, type DriverUnderTest } from './drivers.ts';
import type { Answer, Request, Transport, TransportKind } from './transport.ts';

/** A request without its id. */
export type Action = Readonly<Record<string, unknown>> & { readonly action: string };

let requests = 0;

export const newRequestId = (): string => `request-${++requests}`;

/** One session of one driver, which any number of transports reach. */
export interface Stage {
  readonly server: TestServer;
  readonly driver: DriverUnderTest;
  readonly floor: DeviceFloor;
  readonly session: SessionRecord;
}

/** The subject of a case: a session over one transport, and the state of its device. */
export class Subject {
  readonly stage: Stage;
  readonly transport: Transport;

  constructor(stage: Stage, transport: Transport) {
    this.stage = stage;
    this.transport = transport;
  }

  static async open(stage: Stage, kind: TransportKind): Promise<Subject> {
    return new Subject(stage, await kind.open(stage.server, stage.session));
  }

  get platform(): Platform {
    return this.stage.session.platform;
  }

  /** The capabilities that the device must have. */
  get can(): DeviceCapabilities {
    return abilities(this.stage.driver, this.platform);
  }

  /** Sends a request, whatever comes of it; the answer is well-formed in any case. */
  async ask(request: Request): Promise<Answer> {
    const answer = await this.transport.perform(request);
    assertWellFormed(answer, request, this.stage.session);
    return answer;
  }

  /** Does something that has to succeed. */
  async do(action: Action): Promise<Acknowledgement> {
    const { acknowledgement } = await this.ask({ ...action, requestId: newRequestId() });
    assert.equal(acknowledgement.status, 'completed', JSON.stringify(acknowledgement));
    return acknowledgement;
  }

  inspect(): Promise<Inspection> {
    const { floor, server, session } = this.stage;
    return floor.inspect ? floor.inspect(session) : server.inspect(this.platform, session.id);
  }

  /** The state of the app in front, with the app's own names. */
  async app(): Promise<Readonly<Record<string, unknown>>> {
    return (await this.inspect()).app;
  }

  async pixels(): Promise<Pixels> {
    return decodePng(await this.transport.screenshot());
  }

  /** The picture once it stands still. */
  async stillPicture(): Promise<Buffer> {
    let before = Buffer.from(await this.transport.screenshot());
    for (let tries = 0; tries < 400; tries++) {
      await sleep(50);
      const after = Buffer.from(await this.transport.screenshot());
      if (Buffer.compare(before, after) === 0) return after;
      before = after;
    }
    throw new Error('the picture does not stand still');
  }

  /** Waits until the picture is again what it was. */
  async untilPictureIs(expected: Buffer): Promise<void> {
    for (let tries = 0; tries < 400; tries++) {
      if (Buffer.compare(Buffer.from(await this.transport.screenshot()), expected) === 0) return;
      await sleep(50);
    }
    throw new Error('the picture did not become what it was');
  }

  /** Does what is to be seen on a screen that stands still, be it for a moment only; rejects when it is not. */
  async isSeen(act: () => Promise<unknown>): Promise<void> {
    const { server, session } = this.stage;
    const watcher = await ScreenWatcher.connect(server.url, session, server.rest);
    watcher.send({ type: 'screen.start', encodings: ['jpeg'] });
    await watcher.until('a picture came', () => watcher.packets.length > 0);
    const { length } = watcher.packets;
    await act();
    await watcher.until('another one came', () =>
      watcher.packets.slice(length).some(({ header }) => !header.unchanged),
    );
    watcher.close();
  }

  /** Waits until the device is in the state that is asked for. */
  async until(what: string, fits: (state: Inspection) => boolean): Promise<Inspection> {
    for (let tries = 0; tries < 2_000; tries++) {
      const state = await this.inspect();
      if (fits(state)) return state;
      await sleep(10);
    }
    throw new Error(`it never came that ${what}`);
  }

  /** Puts the device upright, awake and on its home screen, whatever the case before has left. */
  async goHome(): Promise<void> {
    const { screen, orientation, renderOptions } = await this.inspect();
    const shortest = this.can.holds ? { durationMs: 20 } : {};
    if (screen === 'off') await this.do({ action: 'pressButton', button: 'power', ...shortest });
    for (const option of renderOptions) await this.do({ action: 'setRenderDebug', option, enabled: false });
    if (orientation !== 'portrait') await this.do({ action: 'rotate', orientation: 'portrait' });
    await this.do({ action: 'pressButton', button: 'home', ...shortest });
  }

  /** Starts an app anew, without a trace of what it showed before. */
  async open(app: string): Promise<void> {
    await this.goHome();
    await this.do({ action: 'tap', ...this.stage.driver.icon(this.stage.session, app) });
    await this.do({ action: 'reload' });
    assert.equal((await this.inspect()).foreground, app);
  }
}
