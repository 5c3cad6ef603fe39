import type { LoadFigures } from '../../load/job.ts';
import { median } from '../../report/percentiles.ts';
import type { CrowdFigures } from '../../viewers/job.ts';

/** A recording that became ready. */
export interface FinishedRecording {
  readonly durationMs: number;
  readonly bytes: number;
  /** Time from sending `stop` to the answer with the status `ready`. */
  readonly readyMs: number;
}

/** The measured values of one row in one round. */
export interface RecordRound {
  readonly taps: LoadFigures;
  readonly seen: CrowdFigures;
  /** Number of encodings for viewers, and processor time of all threads of the server, during the viewers' measurement. */
  readonly encodings: number;
  readonly cpuUs: number;
  readonly recording?: FinishedRecording;
}

/** The figures of one row: medians over its rounds. Those of a recording are `NaN` if there was none. */
export interface RecordFigures {
  readonly name: string;
  readonly tapP50Us: number;
  readonly tapP99Us: number;
  readonly perViewer: number;
  /** Number of encodings per different picture that the viewers received. */
  readonly encodingsPerPicture: number;
  readonly serverCores: number;
  readonly durationMs: number;
  readonly kilobytesPerSecond: number;
  readonly readyMs: number;
}

export function recordFigures(name: string, rounds: readonly RecordRound[]): RecordFigures {
  const over = (figure: (round: RecordRound) => number) => median(rounds.map(figure));
  const ofRecording = (figure: (recording: FinishedRecording) => number) =>
    over(({ recording }) => (recording ? figure(recording) : Number.NaN));
  return {
    name,
    tapP50Us: over(({ taps }) => taps.p50Us),
    tapP99Us: over(({ taps }) => taps.p99Us),
    perViewer: over(({ seen }) => seen.packets / seen.viewers / seen.seconds),
    encodingsPerPicture: over(({ encodings, seen }) => encodings / seen.pictures),
    serverCores: over(({ cpuUs, seen }) => cpuUs / 1e6 / seen.seconds),
    durationMs: ofRecording(({ durationMs }) => durationMs),
    kilobytesPerSecond: ofRecording(({ bytes, durationMs }) => bytes / durationMs),
    readyMs: ofRecording(({ readyMs }) => readyMs),
  };
}
