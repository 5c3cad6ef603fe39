import { StepFailure } from '../fault.ts';
import { OutputFolder } from '../output-folder.ts';
import { readSelector } from '../selector.ts';
import type { Commands, ReadCommand } from '../step.ts';
import type { Value } from '../value.ts';

const TIMEOUT_MS = { min: 0, max: 600_000 } as const;
const ANIMATION_MS = 15_000;
const COMMON = ['label', 'optional'] as const;

const timeoutOf = (timeout: Value | undefined): number | undefined =>
  timeout?.whole('milliseconds', TIMEOUT_MS.min, TIMEOUT_MS.max);

const assertVisible: ReadCommand = (value) => {
  const selector = readSelector(value);
  return { words: selector.words, perform: ({ screen }) => screen.see(selector) };
};

const assertNotVisible: ReadCommand = (value) => {
  const selector = readSelector(value);
  return { words: selector.words, perform: ({ screen }) => screen.miss(selector) };
};

const extendedWaitUntil: ReadCommand = (value) => {
  const fields = value.record('extendedWaitUntil', ['visible', 'notVisible', 'timeout', ...COMMON]);
  const { visible, notVisible } = fields;
  const waitMs = timeoutOf(fields.timeout);
  const seen = visible && readSelector(visible);
  const missed = notVisible && readSelector(notVisible);
  if (!seen && !missed) throw value.fault('"visible" or "notVisible" is missing.');
  const words = [...(seen ? [seen.words] : []), ...(missed ? [`not ${missed.words}`] : [])].join(', ');
  return {
    words,
    perform: async ({ screen }) => {
      if (seen) await screen.see(seen, waitMs);
      if (missed) await screen.miss(missed, waitMs);
    },
  };
};

/** A screen that goes on moving fails nothing, as in the format. */
const waitForAnimationToEnd: ReadCommand = (value) => {
  const fields = value.isAbsent ? {} : value.record('waitForAnimationToEnd', ['timeout', ...COMMON]);
  const waitMs = timeoutOf(fields.timeout) ?? ANIMATION_MS;
  return {
    words: '',
    perform: async ({ screen }) => {
      const due = performance.now() + waitMs;
      while (!(await screen.still()) && performance.now() < due);
    },
  };
};

/** The name of a file in the folder of what is left behind. */
export function readFileName(value: Value, ending: string): string {
  const name = value.text('the name of a file');
  if (!OutputFolder.holds(name)) throw value.fault(`"${name}" is not within the output folder.`);
  return name.endsWith(ending) ? name : `${name}${ending}`;
}

const takeScreenshot: ReadCommand = (value) => {
  const given = value.isRecord
    ? value.record('takeScreenshot', ['path', ...COMMON], { cropOn: 'the whole display is taken' }).path
    : value;
  if (!given) throw value.fault('"path" is missing.');
  const name = readFileName(given, '.png');
  return {
    words: JSON.stringify(given.written),
    perform: async ({ session, output, signal }) =>
      void (await output.write(name, await session.screenshot({ settled: true, signal }))),
  };
};

const startRecording: ReadCommand = (value) => {
  const given = value.isRecord ? value.record('startRecording', ['path', ...COMMON]).path : value;
  if (!given) throw value.fault('"path" is missing.');
  const path = readFileName(given, '.mp4');
  return {
    words: JSON.stringify(given.written),
    perform: async (run) => {
      const { id } = await run.session.recordings.start({ signal: run.signal });
      run.recording = { id, path };
    },
  };
};

const stopRecording: ReadCommand = (value) => {
  if (!value.isAbsent) value.record('stopRecording', COMMON);
  return {
    words: '',
    perform: async (run) => {
      const { session, signal, recording } = run;
      if (!recording) throw new StepFailure('No recording was started by this flow.');
      run.recording = undefined;
      await session.recordings.stop(recording.id, { signal });
      const { stream } = await session.recordings.stream(recording.id, { signal });
      await run.output.write(recording.path, stream);
    },
  };
};

export const LOOK: Commands = {
  assertVisible,
  assertNotVisible,
  extendedWaitUntil,
  waitForAnimationToEnd,
  takeScreenshot,
  startRecording,
  stopRecording,
};
