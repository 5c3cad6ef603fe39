import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStatus } from '@runcloud/protocol';
import { WriteRetryQueue } from '../../server/flow/write-retry-queue.ts';
import type { RecordingListener } from '../../server/link/host-link.ts';
import { RecordingFault, type RecordingFaultFields } from '../../server/link/recording-fault.ts';
import type {
  CaptureEnding,
  CaptureSummary,
  FinishedRecording,
  FinishOrder,
  PosterOrder,
  RecordingOrder,
  StoreOrder,
  VerifyOrder,
} from '../../server/link/recording-messages.ts';
import type { DeviceRecording } from '../../server/link/remote-recording.ts';
import { RecordingServices } from '../../server/recording/recording-services.ts';
import type { RecordedSession } from '../../server/recording/recordings.ts';
import { databasePath } from '../../server/store/database.ts';
import type { RecordingRow } from '../../server/store/recording-row.ts';
import { Store } from '../../server/store/store.ts';
import { account } from '../store/open-store.ts';
import { sessionRow } from '../store/session-rows.ts';
import { FakeClock, settled } from './fake-clock.ts';
import { deferred, last } from './scripted-device.ts';

/** A fault with the given traits; the rest does not matter. */
const SECRET = new Uint8Array(32).fill(7);

export const fault = (fields: Partial<RecordingFaultFields>): RecordingFault =>
  new RecordingFault({ stage: 'finalize', code: 'storage_error', message: 'Scripted.', retryable: false, ...fields });

/** One capture as the scripted host has it. It writes its files and does what the test says. */
export class ScriptedCapture {
  readonly order: RecordingOrder;
  readonly began = deferred<DeviceRecording>();
  readonly stopped = deferred<CaptureSummary>();
  stops = 0;
  readonly #listener: RecordingListener;
  readonly #clock: FakeClock;
  readonly #host: ScriptedScreen;
  #startedAtMs = 0;

  constructor(order: RecordingOrder, listener: RecordingListener, clock: FakeClock, host: ScriptedScreen) {
    this.order = order;
    this.#listener = listener;
    this.#clock = clock;
    this.#host = host;
  }

  begin(): void {
    writeFileSync(this.order.partFile, 'pictures');
    writeFileSync(this.order.journalFile, 'journal');
    this.#startedAtMs = this.#clock.wallMs();
    const stop = () => {
      this.stops++;
      if (!this.#host.patientStop) this.stop();
      return this.stopped.promise;
    };
    this.began.resolve({ startedAtMs: this.#startedAtMs, width: 4, height: 6, stop });
  }

  stop(reason: CaptureSummary['reason'] = 'stopped'): CaptureSummary {
    const stoppedAtMs = this.#clock.wallMs();
    const durationMs = stoppedAtMs - this.#startedAtMs;
    const summary = { stoppedAtMs, durationMs, sampleCount: 1, bytes: 8, reason };
    this.stopped.resolve(summary);
    return summary;
  }

  /** Ends without having been asked. */
  end(ending: 'limit' | 'headroom' | RecordingFault): void {
    const how: CaptureEnding =
      ending instanceof RecordingFault ? { fault: ending.fields } : { summary: this.stop(ending) };
    if (ending instanceof RecordingFault) this.stopped.reject(ending);
    this.#listener.ended(how);
  }
}

/** A device that records as the test says. */
export class ScriptedScreen {
  readonly captures: ScriptedCapture[] = [];
  patientStart = false;
  patientStop = false;
  startFault: RecordingFault | undefined;
  readonly #clock: FakeClock;

  constructor(clock: FakeClock) {
    this.#clock = clock;
  }

  startRecording(order: RecordingOrder, listener: RecordingListener): Promise<DeviceRecording> {
    const capture = new ScriptedCapture(order, listener, this.#clock, this);
    this.captures.push(capture);
    if (this.startFault) capture.began.reject(this.startFault);
    else if (!this.patientStart) capture.begin();
    return capture.began.promise;
  }

  get last(): ScriptedCapture {
    return last(this.captures);
  }
}

/** A finisher that makes a text of whatever part file there is, unless the test has faults or patience for it. */
export class ScriptedFinisher {
  readonly finishes: FinishOrder[] = [];
  readonly verifies: VerifyOrder[] = [];
  /** The next tries fail so; `undefined` stands for one that does not. */
  readonly faults: (RecordingFault | undefined)[] = [];
  patience: Promise<void> | undefined;
  readonly posters: PosterOrder[] = [];
  /** The next poster fails so. */
  posterFault: RecordingFault | undefined;

  async finish(order: FinishOrder): Promise<FinishedRecording> {
    this.finishes.push(order);
    await this.patience;
    const planned = this.faults.shift();
    if (planned) throw planned;
    if (!existsSync(order.partFile)) throw fault({ code: 'no_frames_captured' });
    const bytes = Buffer.concat([readFileSync(order.partFile), Buffer.from(` of ${order.targetFile.slice(-30)}`)]);
    writeFileSync(`${order.targetFile}.tmp`, bytes);
    renameSync(`${order.targetFile}.tmp`, order.targetFile);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { byteSize: bytes.length, sha256, durationMs: 1_500, width: 4, height: 6, sampleCount: 1, lostTailMs: 0 };
  }

  async verify(order: VerifyOrder): Promise<boolean> {
    this.verifies.push(order);
    const bytes = readFileSync(order.file);
    return bytes.length === order.byteSize && createHash('sha256').update(bytes).digest('hex') === order.sha256;
  }

  /** The object store: what it holds, and how its next calls fail. */
  readonly stored = new Map<string, Buffer>();
  readonly storeFaults: RecordingFault[] = [];
  readonly storeCalls: string[] = [];

  async store(order: StoreOrder): Promise<string | undefined> {
    this.storeCalls.push(order.act);
    await this.patience;
    const planned = this.storeFaults.shift();
    if (planned) throw planned;
    switch (order.act) {
      case 'put':
        this.stored.set(order.object.key, readFileSync(order.object.file));
        return undefined;
      case 'get':
        writeFileSync(order.object.file, this.stored.get(order.object.key) ?? '');
        return undefined;
      case 'refer': {
        const { key, byteSize, validSeconds } = order.object;
        if (this.stored.get(key)?.length !== byteSize) throw fault({ stage: 'store' });
        return `https://store.example/${key}?for=${validSeconds}`;
      }
      case 'delete':
        this.stored.delete(order.key);
        return undefined;
      case 'reach':
        return undefined;
    }
  }

  async makePoster(order: PosterOrder): Promise<Uint8Array> {
    this.posters.push(order);
    await this.patience;
    if (this.posterFault) throw this.posterFault;
    return Buffer.from(`poster of ${order.byteSize}`);
  }
}

export interface ArenaOptions {
  /** Free space of the disk as the service sees it is the machine's own; this is what it wants to start. */
  readonly startHeadroomBytes?: number;
  /** Whether finished recordings go to the object store of the scripted finisher. */
  readonly hasObjectStore?: boolean;
}

/** The recording services on a real store and real files, with a scripted device and finisher and a clock that stands still. */
export class RecordingArena {
  readonly clock = new FakeClock();
  readonly dataDir: string;
  readonly faults: unknown[] = [];
  readonly doubts: number[] = [];
  /** `<id> <status>` for each change that was told. */
  readonly told: string[] = [];
  readonly finisher = new ScriptedFinisher();
  /** How the disk keeps what was written; the test may have it take its time, or fail. */
  durable = async (): Promise<void> => undefined;
  readonly #options: ArenaOptions;
  store!: Store;
  services!: RecordingServices;
  writes!: WriteRetryQueue;

  constructor(dataDir: string, options: ArenaOptions = {}) {
    this.dataDir = dataDir;
    this.#options = options;
    this.#open();
    for (const name of ['acme', 'other']) this.store.accounts.insert(account(name));
  }

  get folder(): string {
    return join(this.dataDir, 'recordings');
  }

  get files(): string[] {
    return readdirSync(this.folder).sort();
  }

  /** A live session with a screen of its own. */
  session(id = 'ses_1', status: SessionStatus = 'active') {
    if (!this.store.sessions.get('acc_acme', id)) this.store.sessions.insert(sessionRow({ id, accountId: 'acc_acme' }));
    const facts = { id, accountId: 'acc_acme', organizationId: 'org_acme', platform: 'ios' } as const;
    const session = { facts, status, device: new ScriptedScreen(this.clock) };
    return session satisfies RecordedSession;
  }

  row(id: string): RecordingRow {
    const row = this.store.recordings.get(id);
    if (!row) throw new Error(`there is no recording ${id}`);
    return row;
  }

  /** Types of a recording's events. */
  events(id: string): string[] {
    return this.store.recordingEvents.list(id).map(({ type, status }) => `${type} ${status}`);
  }

  /** Starts a recording and hands out its id. */
  async start(session: RecordedSession, key?: string): Promise<string> {
    return (await this.services.recordings.start(session, key)).record.id;
  }

  /** The reference of a recording that is on the disk. */
  async reference(sessionId: string, id: string): Promise<string> {
    const found = await this.services.downloads.refer(sessionId, id);
    if ('url' in found) throw new Error(`${id} is in the object store`);
    return found.reference;
  }

  /** Real files take real time; waits until `fits`. */
  async until(fits: () => boolean, what = 'the expected state'): Promise<void> {
    const deadlineMs = performance.now() + 30_000;
    while (!fits()) {
      if (performance.now() > deadlineMs) throw new Error(`waited in vain for ${what}`);
      await new Promise((resolve) => setTimeout(resolve, 1));
      await settled();
    }
  }

  async reached(id: string, status: RecordingRow['status']): Promise<RecordingRow> {
    await this.until(() => this.row(id).status === status, `${id} to be ${status}`);
    return this.row(id);
  }

  /** The process is killed and starts again on the same files; sessions and captures are gone. */
  restart(): void {
    this.kill();
    this.#open();
    this.services.begin();
  }

  kill(): void {
    this.services.close();
    this.writes.close();
    this.store.close();
  }

  #open(): void {
    this.store = new Store(databasePath(this.dataDir));
    this.writes = new WriteRetryQueue({
      clock: this.clock,
      random: () => 1,
      onFault: (error) => void this.faults.push(error),
    });
    this.services = new RecordingServices({
      store: this.store.recordings,
      events: this.store.recordingEvents,
      writes: this.writes,
      finisher: this.finisher,
      hasObjectStore: this.#options.hasObjectStore ?? false,
      clock: this.clock,
      random: () => 1,
      folder: this.folder,
      secret: () => SECRET,
      bounds: { maxDurationMs: 60_000, headroomBytes: 1 },
      startHeadroomBytes: this.#options.startHeadroomBytes ?? 0,
      durable: () => this.durable(),
      onMoved: ({ id, status }) => void this.told.push(`${id} ${status}`),
      onFault: (error) => void this.faults.push(error),
      onClockDoubted: () => void this.doubts.push(this.clock.wallMs()),
    });
  }
}

interface Test {
  testdir(): string;
  teardown(task: () => void): void;
}

export function openRecordings(t: Test, options?: ArenaOptions): RecordingArena {
  const arena = new RecordingArena(t.testdir(), options);
  t.teardown(() => arena.kill());
  return arena;
}
