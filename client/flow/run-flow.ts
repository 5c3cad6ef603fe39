import { RunCloudError } from '../sdk/error.ts';
import type { SessionHandle } from '../sdk/session.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import { StepFailure } from './fault.ts';
import type { OutputFolder } from './output-folder.ts';
import type { Flow } from './read-flow.ts';
import { Screen } from './screen.ts';
import type { Run, Step } from './step.ts';

export interface StepResult {
  readonly step: Step;
  /** 0 for those of the flow itself. */
  readonly depth: number;
  /** Whether others were performed within it. */
  readonly isGroup: boolean;
  /** `warned` is a failure of an optional step. */
  readonly status: 'passed' | 'failed' | 'warned';
  readonly durationMs: number;
  readonly message?: string;
}

export interface FlowResult {
  readonly flow: Flow;
  readonly status: 'passed' | 'failed';
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
  readonly failure?: { readonly step: Step; readonly message: string; readonly evidence: Evidence };
}

export interface RunOptions {
  readonly session: SessionHandle;
  readonly signal: AbortSignal;
  /** Milliseconds to wait for an element. */
  readonly waitMs: number;
  readonly output: OutputFolder;
  /** Records the screen; the file is kept if the flow fails. */
  readonly records: boolean;
  /** The first step within another one is about to be performed. */
  readonly onGroup: (step: Step, depth: number) => void;
  readonly onStep: (result: StepResult) => void;
}

/** Runs one flow. Rejects only when it is aborted. */
export async function runFlow(flow: Flow, options: RunOptions): Promise<FlowResult> {
  const startMs = performance.now();
  const running = new RunningFlow(options);
  const failed = await running.run(flow);
  const { steps } = running;
  const durationMs = Math.round(performance.now() - startMs);
  return { flow, status: failed ? 'failed' : 'passed', durationMs, steps, ...(failed ? { failure: failed } : {}) };
}

class RunningFlow implements Run {
  readonly session: SessionHandle;
  readonly screen: Screen;
  readonly output: OutputFolder;
  readonly signal: AbortSignal;
  readonly steps: StepResult[] = [];
  copiedText: string | undefined;
  recording: Run['recording'];
  readonly #options: RunOptions;
  /** Steps that are being performed within each other, and whether each has been told as a group. */
  readonly #open: { readonly step: Step; isGroup: boolean }[] = [];
  /** Where an error came from: the innermost step. */
  readonly #origins = new WeakMap<object, Step>();

  constructor(options: RunOptions) {
    const { session, waitMs, output, signal } = options;
    this.#options = options;
    this.session = session;
    this.output = output;
    this.signal = signal;
    this.screen = new Screen(session, waitMs, signal);
  }

  async run({ onStart, steps, onComplete }: Flow): Promise<FlowResult['failure']> {
    const { records } = this.#options;
    const recorded = records ? await this.session.recordings.start({ signal: this.signal }) : undefined;
    const startMs = performance.now();
    let failure: FlowResult['failure'];
    try {
      failure = await this.#failureOf([...onStart, ...steps], startMs);
      failure = (await this.#failureOf(onComplete, startMs, failure)) ?? failure;
    } finally {
      // Also after an abort: nobody else stops them.
      const { recording } = this;
      if (recording) await this.session.recordings.stop(recording.id).catch(() => undefined);
      if (recorded) await this.session.recordings.stop(recorded.id).catch(() => undefined);
    }
    if (!recorded || !failure) return failure;
    const { stream } = await this.session.recordings.stream(recorded.id, { signal: this.signal });
    const file = await this.output.write('recording.mp4', stream);
    const { evidence } = failure;
    return { ...failure, evidence: { ...evidence, files: [...evidence.files, file] } };
  }

  async perform(steps: readonly Step[]): Promise<void> {
    const parent = this.#open.at(-1);
    if (parent && !parent.isGroup) {
      parent.isGroup = true;
      this.#options.onGroup(parent.step, this.#open.length - 1);
    }
    for (const step of steps) await this.#perform(step);
  }

  async #perform(step: Step): Promise<void> {
    this.signal.throwIfAborted();
    const startMs = performance.now();
    const depth = this.#open.length;
    const open = { step, isGroup: false };
    this.#open.push(open);
    let message: string | undefined;
    try {
      await step.perform(this);
    } catch (error) {
      this.signal.throwIfAborted();
      message = sentenceOf(error);
      if (message === undefined) throw error;
      if (!this.#origins.has(error as object)) this.#origins.set(error as object, step);
      if (!step.isOptional) throw error;
    } finally {
      this.#open.pop();
      const status = message === undefined ? 'passed' : step.isOptional ? 'warned' : 'failed';
      const durationMs = Math.round(performance.now() - startMs);
      const told = { step, depth, isGroup: open.isGroup, status, durationMs } as const;
      const result: StepResult = message === undefined ? told : { ...told, message };
      this.steps.push(result);
      if (!this.signal.aborted) this.#options.onStep(result);
    }
  }

  /** @param before a failure that there is already: the screen of this one is not kept then */
  async #failureOf(
    steps: readonly Step[],
    startMs: number,
    before?: FlowResult['failure'],
  ): Promise<FlowResult['failure']> {
    try {
      await this.perform(steps);
      return undefined;
    } catch (error) {
      this.signal.throwIfAborted();
      const step = this.#origins.get(error as object);
      const message = sentenceOf(error);
      if (!step || message === undefined) throw error;
      if (before) return before;
      const recordedMs = this.#options.records ? Math.round(performance.now() - startMs) : undefined;
      return { step, message, evidence: await evidenceOf(this.session, this.output, recordedMs) };
    }
  }
}

/** What a step failed by; absent for a fault of this program. */
function sentenceOf(error: unknown): string | undefined {
  if (error instanceof RunCloudError) return `${error.detail} (${error.code})`;
  if (error instanceof StepFailure) return error.message;
  // What the SDK refuses to send, and files that cannot be written.
  if (error instanceof RangeError || (error instanceof Error && 'code' in error)) return error.message;
  return undefined;
}
