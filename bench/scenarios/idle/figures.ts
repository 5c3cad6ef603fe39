import type { MemoryUse } from '../../processes/memory-use.ts';
import { type Kind, stepName } from './rows.ts';

/** A server before and after what is measured came, and what it did while nothing happened. */
export interface Reading {
  readonly use: MemoryUse;
  /** Processor time of all threads, and bytes sent to the clients, in the watched time. */
  readonly cpuUs: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** What one idle socket costs. */
export interface SocketFigures {
  readonly name: string;
  readonly sockets: number;
  /** Resident memory of the server for each socket. */
  readonly rssBytes: number;
  /** The part of it that is the runtime's heap, buffers included. */
  readonly heapBytes: number;
  /** Processor time of the server for one idle second of a socket. */
  readonly cpuUs: number;
}

export function socketFigures(name: string, sockets: number, before: MemoryUse, { use, cpuUs, seconds }: Reading) {
  return {
    name,
    sockets,
    rssBytes: (use.rssBytes - before.rssBytes) / sockets,
    heapBytes: (use.mainHeapBytes - before.mainHeapBytes) / sockets,
    cpuUs: cpuUs / seconds / sockets,
  } satisfies SocketFigures;
}

/** What one of so many sessions, viewers or pending interactions costs, beyond a service that has none of them. */
export interface StepFigures {
  readonly name: string;
  readonly kind: Kind;
  readonly count: number;
  readonly rssKilobytes: number;
  /** Heaps of all threads. */
  readonly heapKilobytes: number;
  /** Of the whole service, with all of them: processor time and bytes sent in a second. */
  readonly cpuMsPerSecond: number;
  readonly bytesPerSecond: number;
}

export function stepFigures(kind: Kind, count: number, none: Reading, some: Reading): StepFigures {
  const each = (of: (reading: Reading) => number) => (of(some) - of(none)) / count;
  return {
    name: stepName(kind, count),
    kind,
    count,
    rssKilobytes: each(({ use }) => use.rssBytes) / 1_000,
    heapKilobytes: each(({ use }) => use.mainHeapBytes + use.threadHeapBytes) / 1_000,
    cpuMsPerSecond: some.cpuUs / 1_000 / some.seconds,
    bytesPerSecond: some.bytes / some.seconds,
  };
}
