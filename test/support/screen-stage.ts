import { setTimeout as sleep } from 'node:timers/promises';
import {
  CONTROL_SUBPROTOCOL,
  encodeClientMessage,
  type Platform,
  SCREEN_ENCODINGS,
  type ScreenEncoding,
  type SessionRecord,
} from '@runcloud/protocol';
import type { Test } from 'tap';
import { CrowdProcess } from '../../bench/processes/crowd-process.ts';
import type { ViewerTarget } from '../../bench/viewers/viewer.ts';
import { ControlClient } from './control-client.ts';
import { readMetrics, type Samples, screenCounts } from './prometheus.ts';
import { RestClient } from './rest-client.ts';
import { ScreenWatcher } from './screen-watcher.ts';
import { serverProgram, temporaryDataDir } from './server-process.ts';

const KEY = 'a-key-that-only-the-tests-know';
/** Where the home screen has the app that never stands still. */
const MOTION: Readonly<Record<Platform, { readonly x: number; readonly y: number }>> = {
  ios: { x: 0.388, y: 0.32 },
  android: { x: 0.383, y: 0.292 },
};
/** A screen that has sent nothing for so long, twice, has come to rest: what is under way may be held up by a busy machine. */
const STILL_MS = 400;
const STILL_TURNS = 2;

/** One session of a server in a process of its own, somebody who controls it, and crowds that watch it from another. */
export class ScreenStage {
  readonly url: string;
  readonly session: SessionRecord;
  readonly control: ControlClient;
  readonly crowd: CrowdProcess;
  readonly rest: RestClient;
  #requests = 0;

  private constructor(parts: Pick<ScreenStage, 'url' | 'session' | 'control' | 'crowd' | 'rest'>) {
    this.url = parts.url;
    this.session = parts.session;
    this.control = parts.control;
    this.crowd = parts.crowd;
    this.rest = parts.rest;
  }

  static async open(t: Test, platform: Platform = 'ios'): Promise<ScreenStage> {
    const data = temporaryDataDir();
    const settings = { RUNCLOUD_API_KEY: KEY, RUNCLOUD_RATE_LIMIT: 'off', RUNCLOUD_LOG: 'error' };
    const program = serverProgram(data.path, settings);
    t.teardown(async () => {
      program.signal('SIGTERM');
      await program.ended;
      data.remove();
    });
    const url = await program.ready();
    const crowd = new CrowdProcess();
    t.teardown(() => crowd.stop());
    const rest = new RestClient(url, KEY);
    const session = await rest.createSession(platform);
    const control = await ControlClient.connect(url, session, rest.authorization);
    return new ScreenStage({ url, session, control, crowd, rest });
  }

  /** Where a crowd finds the session's screen. */
  target(encoding: ScreenEncoding): ViewerTarget {
    const { hostname, port } = new URL(this.url);
    return {
      host: hostname,
      port: Number(port),
      path: this.path,
      headers: { Authorization: this.rest.authorization, 'Sec-WebSocket-Protocol': CONTROL_SUBPROTOCOL },
      start: encodeClientMessage({ type: 'screen.start', encodings: [encoding] }),
      acknowledges: true,
    };
  }

  get path(): string {
    const { id, platform } = this.session;
    return `/service/${platform}/${id}/control`;
  }

  /** A viewer on the `ws` library, through `url` if that is another way to the server. */
  async watch(t: Test, url = this.url): Promise<ScreenWatcher> {
    const watcher = await ScreenWatcher.connect(url, this.session, { authorization: this.rest.authorization });
    t.teardown(() => watcher.close());
    return watcher;
  }

  async act(fields: Record<string, unknown>): Promise<void> {
    const { status, error } = await this.control.interact({ requestId: `act-${++this.#requests}`, ...fields });
    if (status !== 'completed') throw new Error(`${fields.action} ended ${status}: ${error?.message}`);
  }

  /** From here on the screen changes with every picture. */
  startMotion(): Promise<void> {
    return this.act({ action: 'tap', ...MOTION[this.session.platform] });
  }

  /** The screen stands still again; resolves when nothing is sent any more. */
  async stopMotion(): Promise<Samples> {
    await this.act({ action: 'pressButton', button: 'home' });
    return this.still();
  }

  /** Waits until nothing is sent any more. */
  async still(): Promise<Samples> {
    let scheduler = 0;
    for (let before = await this.metrics(); ; ) {
      await sleep(STILL_MS);
      const now = await this.metrics();
      const moved = SCREEN_ENCODINGS.some((encoding) => {
        const { encodings, packets } = screenCounts(now, before, encoding);
        return encodings > 0 || packets > 0;
      });
      scheduler = moved ? 0 : scheduler + 1;
      if (scheduler === STILL_TURNS) return now;
      before = now;
    }
  }

  metrics(): Promise<Samples> {
    return readMetrics(this.url);
  }

  /** Milliseconds that each of so many taps takes to its result, one after the other with short pauses of any length. */
  async tapTimes(count: number): Promise<number[]> {
    const times: number[] = [];
    while (times.length < count) {
      const startMs = performance.now();
      await this.act({ action: 'tap', x: 0.5, y: 0.5 });
      times.push(performance.now() - startMs);
      await sleep(1 + Math.random() * 8);
    }
    return times;
  }
}
