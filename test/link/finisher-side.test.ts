import t from 'tap';
import { type FinisherService, serveFinisher } from '../../server/link/finisher-side.ts';
import { RecordingFault } from '../../server/link/recording-fault.ts';
import type { FinishedRecording, FromFinisher, ToFinisher } from '../../server/link/recording-messages.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred } from '../support/scripted-device.ts';

function serve(service: Partial<FinisherService>) {
  const said: FromFinisher[] = [];
  let closed = 0;
  let ask: (...batch: ToFinisher[]) => Promise<void> = async () => undefined;
  serveFinisher(
    {
      send: (batch) => void said.push(...batch),
      onReceive: (listener) => {
        ask = async (...batch) => {
          listener(batch);
          await settled();
        };
      },
      onClosed: () => undefined,
      close: async () => void closed++,
    },
    {
      finish: async () => RECORDING,
      verify: async () => true,
      makePoster: async () => JPEG,
      store: async () => undefined,
      ...service,
    },
  );
  return { said, closed: () => closed, ask: (...batch: ToFinisher[]) => ask(...batch) };
}

const RECORDING = { byteSize: 1, sha256: 'a', durationMs: 1, width: 2, height: 2, sampleCount: 1, lostTailMs: 0 };
const JPEG = new Uint8Array([0xff, 0xd8]);
const finishOf = (call: number): ToFinisher => ({
  kind: 'finish',
  call,
  order: { partFile: `${call}`, journalFile: '', targetFile: '' },
});
const verifyOf = (call: number): ToFinisher => ({
  kind: 'verify',
  call,
  order: { file: `${call}`, byteSize: 1, sha256: '' },
});

const posterOf = (call: number): ToFinisher => ({
  kind: 'poster',
  call,
  order: { file: `${call}`, byteSize: 1 },
});

t.test('each question is answered by its number', async (t) => {
  const { said, ask } = serve({});
  await ask(finishOf(4), verifyOf(5), posterOf(6));
  t.match(said, [
    { kind: 'finished', call: 4, recording: RECORDING },
    { kind: 'verified', call: 5, same: true },
    { kind: 'poster-made', call: 6, jpeg: JPEG },
  ]);
});

t.test(
  'recordings are finished one after the other; beside them objects are verified, a few at a time, and posters made',
  async (t) => {
    const begun: string[] = [];
    const ends: (() => void)[] = [];
    const hold = async <T>(name: string, value: T): Promise<T> => {
      begun.push(name);
      const { promise, resolve } = deferred<void>();
      ends.push(() => resolve());
      await promise;
      return value;
    };
    const { ask } = serve({
      finish: ({ partFile }) => hold<FinishedRecording>(`finish ${partFile}`, RECORDING),
      verify: ({ file }) => hold(`verify ${file}`, true),
      makePoster: ({ file }) => hold(`poster ${file}`, JPEG),
    });
    await ask(finishOf(1), finishOf(2), ...[3, 4, 5, 6, 7].map(verifyOf), posterOf(8), posterOf(9));
    t.strictSame(begun, ['finish 1', 'verify 3', 'verify 4', 'verify 5', 'verify 6', 'poster 8']);
    for (const end of ends.splice(0)) end();
    await settled();
    t.strictSame(begun.slice(6).sort(), ['finish 2', 'poster 9', 'verify 7']);
    for (const end of ends) end();
  },
);

t.test('a fault is told as it is; the words of other errors are told beside it, for the log', async (t) => {
  const known = { stage: 'finalize', code: 'no_frames_captured', message: 'none', retryable: false } as const;
  const { said, ask } = serve({
    finish: () => Promise.reject(new RecordingFault(known)),
    verify: () => Promise.reject(new Error('/secret/place')),
  });
  await ask(finishOf(1), verifyOf(2));
  t.match(said, [
    { kind: 'fault', call: 1, fault: known },
    { kind: 'fault', call: 2, fault: { stage: 'verify', code: 'storage_error' }, cause: /secret/ },
  ]);
  t.strictSame(said[0], { kind: 'fault', call: 1, fault: known }, 'no cause where there is none');
  t.notMatch(JSON.stringify(said.map((answer) => 'fault' in answer && answer.fault)), /secret/);
});

t.test('it says that it is alive while it works, and nothing when it rests', { timeout: 20_000 }, async (t) => {
  const work = deferred<boolean>();
  const { said, ask } = serve({ verify: () => work.promise });
  await ask(verifyOf(1));
  while (said.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  t.match(said, [{ kind: 'alive' }, { kind: 'alive' }]);
  work.resolve(true);
  await settled();
  const before = said.length;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  t.equal(said.length, before);
});

t.test('it ends itself when it is asked to, and not in the middle of its work', async (t) => {
  const idle = serve({});
  await idle.ask({ kind: 'close' });
  t.equal(idle.closed(), 1);
  const work = deferred<boolean>();
  const busy = serve({ verify: () => work.promise });
  await busy.ask(verifyOf(1), { kind: 'close' });
  t.equal(busy.closed(), 0);
  work.resolve(true);
  await settled();
  t.equal(busy.closed(), 1);
  t.match(busy.said, [{ kind: 'verified', call: 1 }]);
});
