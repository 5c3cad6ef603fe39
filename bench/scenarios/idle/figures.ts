import type { MemoryUse } from '../../processes/memory-use.ts';
import { type Kind, stepName } from './rows.ts';

/** Memory of a server, and its activity while it is idle. */
export interface Reading {
  readonly use: MemoryUse;
  /** Processor time of all threads, and bytes sent to the clients, during the observed time. */
  readonly cpuUs: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** The cost of one idle socket. */
export interface SocketFigures {
  readonly name: string;
  readonly sockets: number;
  /** Resident memory of the server per socket. */
  readonly rssBytes: number;
  /** The part of it in the runtime's heap, including buffers. */
  readonly heapBytes: number;
  /** Processor time of the server per socket and idle second. */
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

/** The cost of one of `count` sessions, viewers or pending interactions, compared with a service without any. */
export interface StepFigures {
  readonly name: string;
  readonly kind: Kind;
  readonly count: number;
  readonly rssKilobytes: number;
  /** Heaps of all threads. */
  readonly heapKilobytes: number;
  /** Processor time and bytes sent per second by the whole service with all of them. */
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
