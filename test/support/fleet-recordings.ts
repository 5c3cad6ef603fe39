import { createHash } from 'node:crypto';
import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import type { Test } from 'tap';
import { killableHost, startKillableFleet } from './fleet.ts';
import { FLEET_ENVIRONMENT } from './fleet-losses.ts';
import { RestClient } from './rest-client.ts';
import { S3Server, type Trouble } from './s3/s3-server.ts';
import { TEST_KEY } from './server.ts';

/** What is lost while a recording is made, finalized or stored. */
export type RecordingLoss = 'host' | 'edge' | 'store';

export interface FleetRecordings {
  readonly ready: number;
  /** The codes of those that failed. */
  readonly failed: readonly string[];
  /** What is not as it was promised. */
  readonly findings: readonly string[];
}

const RECORD_MS_MAX = 900;
/** From the moment of the stop to the loss: finalizing and the upload fall into it. */
const LOSS_MS_MAX = 600;
const TROUBLE_MS = 1_500;
/** A host that is started anew finalizes; the store is tried again at growing intervals. */
const SETTLED_MS_MAX = 60_000;
const LOOK_MS = 150;
const TROUBLES: readonly Trouble[] = ['away', 'full', 'wrong size'];

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes recordings at a host of a fleet with two edges and an object store, and loses one of them during each. */
export async function recordUnderLosses(t: Test, losses: readonly RecordingLoss[]): Promise<FleetRecordings> {
  const store = await S3Server.start();
  t.teardown(() => store.close());
  const devices = { RUNCLOUD_DEVICES: 'virtual-android:2' };
  const fleet = await startKillableFleet({ ...FLEET_ENVIRONMENT, ...store.environment }, [devices], 2);
  t.teardown(() => fleet.close());
  const { host } = await killableHost(fleet);
  const recorder = new Recorder(new RestClient(fleet.url, TEST_KEY));

  let troubles = 0;
  const lose = async (loss: RecordingLoss, number: number) => {
    const edge = fleet.edges[number % fleet.edges.length];
    if (loss === 'store') {
      store.trouble = TROUBLES[troubles++ % TROUBLES.length];
      await sleep(TROUBLE_MS);
      store.trouble = undefined;
      return;
    }
    const killed = loss === 'host' ? host : edge;
    await killed?.kill();
    await killed?.start();
  };
  for (const [number, loss] of losses.entries()) {
    const losing = sleep(Math.random() * (RECORD_MS_MAX + LOSS_MS_MAX)).then(() => lose(loss, number));
    await recorder.record(number);
    await losing;
  }
  await recorder.settle();
  return recorder;
}

class Recorder implements FleetRecordings {
  ready = 0;
  readonly failed: string[] = [];
  readonly findings: string[] = [];
  readonly #rest: RestClient;
  readonly #made: { readonly path: string; readonly id: string }[] = [];

  constructor(rest: RestClient) {
    this.#rest = rest;
  }

  async record(number: number): Promise<void> {
    const session = await this.#session(number);
    const path = `/service/android/${session.id}/recordings`;
    const begun = await this.#ask<RecordingRecord>('POST', path, `recording-${number}`);
    if (begun === undefined) return;
    this.#made.push({ path, id: begun.id });
    const end = Date.now() + Math.random() * RECORD_MS_MAX;
    for (let taps = 0; Date.now() < end; taps++) {
      await this.#rest.interact(session, { action: 'tap', x: 0.5, y: 0.2 + (taps % 6) / 10 }).catch(() => undefined);
      await sleep(40);
    }
    // A session that ended with its host has ended its recording as well.
    await this.#ask('POST', `${path}/${begun.id}/stop`);
    await this.#rest.call('DELETE', `/service/sessions/${session.id}`).catch(() => undefined);
  }

  /** Waits until each recording is what it will be, and judges it. */
  async settle(): Promise<void> {
    for (const { path, id } of this.#made) {
      const record = await this.#settled(`${path}/${id}`);
      if (record?.status === 'ready') await this.#judge(record);
      else if (record?.status === 'failed' && record.failure) this.failed.push(record.failure.code);
      else this.findings.push(`${id} is ${record?.status}`);
    }
  }

  async #judge({ id, downloadUrl = '', checksum, byteSize }: RecordingRecord): Promise<void> {
    this.ready++;
    const file = Buffer.from(await (await this.#rest.fetch(downloadUrl)).arrayBuffer());
    if (`sha256:${createHash('sha256').update(file).digest('hex')}` !== checksum) {
      this.findings.push(`${id} is not what its checksum says`);
    }
    if (file.length !== byteSize) this.findings.push(`${id} has ${file.length} bytes, and not ${byteSize}`);
    const { headers } = await this.#rest.fetch(downloadUrl, { redirect: 'manual' });
    const part = await fetch(headers.get('location') ?? '', { headers: { Range: 'bytes=100-199' } });
    const bytes = Buffer.from(await part.arrayBuffer());
    if (part.status !== 206 || !bytes.equals(file.subarray(100, 200))) this.findings.push(`${id} has no ranges`);
  }

  async #settled(path: string): Promise<RecordingRecord | undefined> {
    let record: RecordingRecord | undefined;
    for (const end = Date.now() + SETTLED_MS_MAX; Date.now() < end; await sleep(LOOK_MS)) {
      const read = await this.#rest.call<RecordingRecord>('GET', path).catch(() => undefined);
      if (read?.status !== 200) continue;
      record = read.body;
      if (record.status === 'ready' || record.status === 'failed') break;
    }
    return record;
  }

  async #session(number: number): Promise<SessionRecord> {
    const made = await this.#ask<SessionRecord>('POST', '/service/sessions', `session-${number}`, {
      platform: 'android',
    });
    if (made === undefined) throw new Error('no session is made');
    return made;
  }

  /** Asks until there is an answer that is none of a loss; `undefined` for a refusal. A repeated key makes nothing twice. */
  async #ask<Body>(method: string, path: string, key?: string, body?: object): Promise<Body | undefined> {
    for (const end = Date.now() + SETTLED_MS_MAX; Date.now() < end; await sleep(LOOK_MS)) {
      const answer = await this.#rest
        .fetch(path, {
          method,
          headers: {
            ...(key !== undefined && { 'Idempotency-Key': key }),
            ...(body && { 'Content-Type': 'application/json' }),
          },
          ...(body && { body: JSON.stringify(body) }),
        })
        .catch(() => undefined);
      if (!answer || answer.status >= 500) continue;
      return answer.ok ? ((await answer.json()) as Body) : undefined;
    }
    return undefined;
  }
}
