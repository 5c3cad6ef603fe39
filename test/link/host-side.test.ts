import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import { HostLink } from '../../server/link/host-link.ts';
import { type HostService, serveHost } from '../../server/link/host-side.ts';
import type { LazyAbort } from '../../server/link/lazy-abort.ts';
import type { Question } from '../../server/link/messages.ts';
import { RecordingFault } from '../../server/link/recording-fault.ts';
import { settled } from '../support/fake-clock.ts';
import { portPair } from '../support/port-pair.ts';

type Answer = (question: Question, abort: LazyAbort, onStep: (steps: number) => void) => Promise<unknown>;

function open(answer: Answer, more: Pick<HostService, 'answerNow'> = {}) {
  const pair = portPair();
  const service: HostService = {
    answer,
    onLost: () => undefined,
    onOrientation: () => undefined,
    onDisplays: () => undefined,
    onClipboard: () => undefined,
    onCrash: () => undefined,
    onStreams: () => undefined,
    onRecordingEnded: () => undefined,
    ...more,
  };
  serveHost(pair.host, service);
  const lines: object[] = [];
  const log = { error: (line: object) => void lines.push(line) };
  return { pair, link: new HostLink(pair.gateway, { log }), lines };
}

const ABORTED = { name: 'DeviceFault', kind: 'aborted' };
const request = { requestId: 'r', timeoutMs: 100, action: 'reload' } as const;

t.test('questions of one batch run at the same time and their answers leave together', async (t) => {
  const { pair, link } = open(async ({ device }) => device * 10);
  const answers = [1, 2, 3].map((device) => link.ask('releaseAll', device, {}).answered);
  t.strictSame(await Promise.all(answers), [10, 20, 30]);
  t.equal(pair.host.sent.length, 1);
});

t.test('a cancel reaches the call that it names, also in the same batch, and no other', async (t) => {
  const { link } = open(
    (_, abort) =>
      new Promise((_resolve, reject) => {
        if (abort.aborted) reject(new DeviceFault('aborted', 'ended', 2));
        abort.signal.addEventListener('abort', () => reject(new DeviceFault('aborted', 'ended', 2)));
      }),
  );
  const kept = link.ask('releaseAll', 1, {});
  const ended = link.ask('releaseAll', 1, {});
  let settledEarly = false;
  kept.answered.catch(() => {
    settledEarly = true;
  });
  link.cancel(ended.id);
  await t.rejects(ended.answered, { ...ABORTED, dispatchedSteps: 2 });
  t.equal(settledEarly, false);
  link.cancel(kept.id);
  await t.rejects(kept.answered, ABORTED);
});

t.test(
  'the words of an unexpected error are for the log, which names the session and the call, and no caller',
  async (t) => {
    const { link, lines } = open(async () => {
      throw new Error('/secret/place is broken');
    });
    const fault = await link.ask('releaseAll', 1, {}, { sessionId: 'ses_1' }).answered.catch((error: unknown) => error);
    t.match(fault, { kind: 'failed' });
    t.notMatch(String(fault), /secret/);
    t.match(lines, [{ sessionId: 'ses_1', call: 'releaseAll', cause: /secret/ }]);
    const question = { kind: 'perform', call: 0, device: 1, request, inputSeq: 1, wantsSteps: false } as const;
    await new Promise<void>((failed) => {
      const receiver = { requestId: 'r-1', answered: () => undefined, failed: () => failed() };
      link.begin<'perform'>({ ...question }, receiver, { sessionId: 'ses_1' });
    });
    t.match(lines[1], { sessionId: 'ses_1', requestId: 'r-1', call: 'perform', cause: /secret/ });
  },
);

t.test('a fault that callers are told is no line of the log, and of a recording the cause alone is', async (t) => {
  const fields = { stage: 'prepare', code: 'storage_error', message: 'broken', retryable: true } as const;
  const faults = [
    new DeviceFault('failed', 'no'),
    new RecordingFault(fields),
    new RecordingFault(fields, 'EIO /secret'),
  ];
  const { link, lines } = open(async ({ device }) => {
    throw faults[device];
  });
  for (const [device, { name, message }] of faults.entries()) {
    await t.rejects(link.ask('releaseAll', device, {}).answered, { name, message });
  }
  t.match(lines, [{ call: 'releaseAll', cause: 'EIO /secret' }]);
  t.equal(lines.length, 1);
});

t.test('an error after a cancel is the end that the cancel asked for', async (t) => {
  const { link } = open(async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    signal.throwIfAborted();
  });
  const { id, answered } = link.ask('releaseAll', 1, {});
  await settled();
  link.cancel(id);
  await t.rejects(answered, ABORTED);
});

t.test('the first step is told at once, and the flood after it is not', async (t) => {
  const { pair, link } = open(async (_question, _abort, onStep) => {
    for (let step = 1; step <= 1_000; step++) onStep(step);
  });
  const told: number[] = [];
  const question = { kind: 'perform', call: 0, device: 1, request, inputSeq: 1, wantsSteps: true } as const;
  await new Promise<unknown>((answered, failed) => {
    link.begin<'perform'>({ ...question }, { answered, failed, steps: (steps) => void told.push(steps) });
  });
  t.equal(told[0], 1);
  t.ok(told.length < 20, `${told.length} reports`);
  t.ok(pair.host.sent.length <= 2);
});

t.test('a picture crosses by transfer, whole', async (t) => {
  const png = new Uint8Array(100_000).fill(7);
  const { pair, link } = open(async () => ({ png, width: 1, height: 1, inputSeq: 3 }));
  const screenshot = await link.ask('screenshot', 1, { settled: false }).answered;
  t.equal(Buffer.compare(screenshot.png, Buffer.alloc(100_000, 7)), 0);
  t.equal(png.byteLength, 0, 'the sender has given it away');
  t.equal(pair.host.sent.length, 1);
});

t.test(
  'calls that can be answered at once are, in order and in one batch with the others of the iteration',
  async (t) => {
    const asked: string[] = [];
    const { pair, link } = open(
      async ({ device }) => {
        asked.push(`later ${device}`);
        return device;
      },
      {
        answerNow({ device }) {
          asked.push(`now ${device}`);
          return device === 2 ? undefined : { pointCount: device };
        },
      },
    );
    const answers = [1, 2, 3].map((device) => link.ask('releaseAll', device, {}).answered);
    t.strictSame(await Promise.all(answers), [{ pointCount: 1 }, 2, { pointCount: 3 }]);
    t.strictSame(asked, ['now 1', 'now 2', 'later 2', 'now 3']);
    t.equal(pair.host.sent.length, 1);
  },
);

t.test('a call that fails at once is a fault like any other, and is not tried again', async (t) => {
  const { link } = open(async () => t.fail('asked again'), {
    answerNow() {
      throw new DeviceFault('failed', 'The glass is wet.');
    },
  });
  const { id, answered } = link.ask('releaseAll', 1, {});
  link.cancel(id);
  await t.rejects(answered, { kind: 'failed', message: 'The glass is wet.' });
});
