import { setTimeout as sleep } from 'node:timers/promises';
import type { LogPage, SessionRecord } from '@runcloud/protocol';
import { ControlClient } from './control-client.ts';
import { FloodedService } from './flooded-service.ts';
import { residentBytes } from './process-memory.ts';
import type { RestClient } from './rest-client.ts';
import { Program } from './server-process.ts';
import { sessionInTime } from './sessions-in-time.ts';

const TAP_MS = 4;
const READ_MS = 20;
const PAGE_LINES = 1_000;
const PAUSE_MS = 100;

export interface FloodedLog {
  /** By the device. */
  readonly written: number;
  readonly tookMs: number;
  readonly told: number;
  readonly lost: number;
  /** What is not in its place; empty when everything is. */
  readonly faults: readonly string[];
  /** Resident memory of the service. */
  readonly grownBytes: number;
  /** Taps on a virtual phone of the service whose device writes, and of another service on this machine. */
  readonly tapsMs: readonly number[];
  readonly elsewhereMs: readonly number[];
}

/**
 * Reads the log of an Android device that writes 10,000 lines a second, and taps on another device meanwhile. The same taps on a
 * service without the log are the control: the processors are shared with the device on any service.
 */
export async function floodLog(seconds: number): Promise<FloodedLog> {
  const device = new Program('test/support/android/log-flood-program.ts', [String(seconds)], {});
  const services: FloodedService[] = [];
  try {
    const environment = JSON.parse(await said(device, 0)) as Record<string, string>;
    const start = async (devices: string) => {
      const settings = { ...environment, RUNCLOUD_DEVICES: devices, RUNCLOUD_CHECK_ANSWERS: undefined };
      const service = await FloodedService.start(settings);
      services.push(service);
      return service;
    };
    const flooded = await start(`${environment.RUNCLOUD_DEVICES},virtual-ios:1`);
    const elsewhere = await start('virtual-ios:1');
    const reader = new LogReader(flooded.own, await sessionInTime({ rest: flooded.own }, 'android'));
    await reader.read();
    const taps = [await tapsOf(flooded), await tapsOf(elsewhere)] as const;
    const beforeBytes = residentBytes(flooded.pid);
    device.signal('SIGUSR2');
    const reading = reader.until(() => device.stdout.split('\n').length > 2);
    let isRead = false;
    void reading.finally(() => {
      isRead = true;
    });
    while (!isRead) for (const one of taps) await one.tap();
    await reading;
    const { written, tookMs } = JSON.parse(await said(device, 1)) as Pick<FloodedLog, 'written' | 'tookMs'>;
    const grownBytes = residentBytes(flooded.pid) - beforeBytes;
    for (const one of taps) one.close();
    const [{ tookMs: tapsMs }, { tookMs: elsewhereMs }] = taps;
    const { told, lost, faults } = reader;
    return { written, tookMs, told, lost, faults, grownBytes, tapsMs, elsewhereMs };
  } finally {
    for (const service of services) await service.stop();
    device.signal('SIGTERM');
    await device.ended;
  }
}

/** The line with this number that a program has printed. */
async function said(program: Program, number: number): Promise<string> {
  for (;;) {
    const lines = program.stdout.split('\n');
    if (lines.length > number + 1) return lines[number] ?? '';
    if (!program.running) throw new Error(`the device ended: ${program.stderr}`);
    await sleep(PAUSE_MS);
  }
}

async function tapsOf(service: FloodedService): Promise<Taps> {
  const session = await service.own.createSession('ios');
  return new Taps(await ControlClient.connect(service.url, session, service.own.authorization));
}

class Taps {
  readonly tookMs: number[] = [];
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  async tap(): Promise<void> {
    const requestId = `tap-${this.tookMs.length}`;
    const startMs = performance.now();
    const { status } = await this.#client.interact({ requestId, action: 'tap', x: 0.5, y: 0.5, acks: 'final' });
    if (status !== 'completed') throw new Error(`a tap ended ${status}`);
    this.tookMs.push(performance.now() - startMs);
    this.#client.messages.length = 0;
    await sleep(TAP_MS);
  }

  close(): void {
    this.#client.terminate();
  }
}

/** Reads a log page by page, and notes what is not in its place. */
class LogReader {
  readonly faults: string[] = [];
  told = 0;
  lost = 0;
  readonly #rest: RestClient;
  readonly #path: string;
  #after = 0;
  #lastLine = 0;

  constructor(rest: RestClient, { id }: SessionRecord) {
    this.#rest = rest;
    this.#path = `/service/android/${id}/logs?limit=${PAGE_LINES}`;
  }

  /** Reads until the device is done and everything that it wrote is told or lost. */
  async until(isDone: () => boolean): Promise<void> {
    for (let isOver = false; !isOver; ) {
      const wasDone = isDone();
      const page = await this.read();
      if (!page.more) {
        isOver = wasDone && page.entries.length === 0;
        await sleep(READ_MS);
      }
    }
  }

  async read(): Promise<LogPage> {
    const { status, body } = await this.#rest.call<LogPage>('GET', `${this.#path}&after=${this.#after}`);
    if (status !== 200) throw new Error(`the log was answered ${status}`);
    const lost = body.lost ?? 0;
    let expected = this.#after + lost;
    for (const { seq, process, text } of body.entries) {
      if (seq !== ++expected) this.faults.push(`${seq} in the place of ${expected}`);
      if (process !== 'flood') {
        if (/missing|ended/.test(text)) this.faults.push(text);
        continue;
      }
      const line = Number(/^line (\d+)$/.exec(text)?.[1]);
      const isNext = lost === 0 ? line === this.#lastLine + 1 : line > this.#lastLine;
      if (!isNext) this.faults.push(`"${text}" behind line ${this.#lastLine}`);
      this.#lastLine = line;
      this.told++;
    }
    this.lost += lost;
    this.#after = body.next;
    return body;
  }
}
