import { cpus, release, type as systemType, totalmem } from 'node:os';
import { canPin } from '../processes/pin.ts';

/** The machine of a run. */
export interface Machine {
  readonly cores: number;
  readonly cpu: string;
  readonly memoryMiB: number;
  readonly kernel: string;
  readonly node: string;
  /** Whether processes could be bound to cores; otherwise the layouts mean little. */
  readonly pinned: boolean;
}

export function thisMachine(): Machine {
  return {
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryMiB: Math.round(totalmem() / 1_048_576),
    kernel: `${systemType()} ${release()}`,
    node: process.version,
    pinned: canPin(),
  };
}
