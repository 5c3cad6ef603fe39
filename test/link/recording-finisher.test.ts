import t from 'tap';
import type { Port } from '../../server/link/messages.ts';
import { RecordingFinisher, SILENCE_MS_MAX } from '../../server/link/recording-finisher.ts';
import type { FinishedRecording, FromFinisher, ToFinisher } from '../../server/link/recording-messages.ts';
import { FakeClock, settled } from '../support/fake-clock.ts';

/** A finisher's thread that is the test itself. */
class FakeThread implements Port<ToFinisher, FromFinisher> {
  readonly asked: ToFinisher[] = [];
  closed = 0;
  #hear: (batch: readonly FromFinisher[]) => void = () => undefined;
  readonly #ends: ((reason: string) => void)[] = [];

  send(batch: readonly ToFinisher[]): void {
    this.asked.push(...batch);
  }

  onReceive(listener: (batch: readonly FromFinisher[]) => void): void {
    this.#hear = listener;
  }

  onClosed(listener: (reason: string) => void): void {
    this.#ends.push(listener);
  }

  async close(): Promise<void> {
    this.closed++;
  }

  say(...batch: FromFinisher[]): void {
    this.#hear(batch);
  }

  die(reason: string): void {
    for (const end of this.#ends) end(reason);
  }
}

function open() {
  const clock = new FakeClock();
  const threads: FakeThread[] = [];
  const spawn = () => {
    threads.push(new FakeThread());
    return threads.at(-1) as FakeThread;
  };
  const calls = (index = -1) =>
    (threads.at(index)?.asked ?? []).map((message) => ('call' in message ? message.call : 0));
  const thread = (index = -1) => threads.at(index) as FakeThread;
  const lines: object[] = [];
  const log = { error: (line: object) => void lines.push(line) };
  return { clock, threads, thread, calls, lines, finisher: new RecordingFinisher({ spawn, clock, log }) };
}

const ORDER = { partFile: '/part', journalFile: '/journal', targetFile: '/target' };
const OBJECT = { file: '/target', byteSize: 5, sha256: 'aa' };
const RECORDING: FinishedRecording = {
  byteSize: 5,
  sha256: 'aa',
  durationMs: 1,
  width: 2,
  height: 2,
  sampleCount: 1,
  lostTailMs: 0,
};
const INTERRUPTED = { name: 'RecordingFault', code: 'storage_error', retryable: true };

t.test('nothing runs before the first question, and one thread serves them all', async (t) => {
  const { threads, thread, calls, finisher } = open();
  t.equal(threads.length, 0);
  const finished = finisher.finish(ORDER);
  const verified = finisher.verify(OBJECT);
  t.equal(threads.length, 1);
  t.match(thread().asked, [
    { kind: 'finish', order: ORDER },
    { kind: 'verify', order: OBJECT },
  ]);
  const [one = 0, two = 0] = calls();
  thread().say({ kind: 'verified', call: two, same: false }, { kind: 'finished', call: one, recording: RECORDING });
  t.equal(await verified, false);
  t.strictSame(await finished, RECORDING);
});

t.test('a finisher that is warmed up is there when it is asked', async (t) => {
  const { threads, finisher } = open();
  finisher.warm();
  finisher.warm();
  t.equal(threads.length, 1);
  void finisher.verify(OBJECT).catch(() => undefined);
  t.equal(threads.length, 1);
});

t.test('a fault rejects with its stage, its code and whether to try again', async (t) => {
  const { thread, calls, finisher } = open();
  const asked = t.rejects(finisher.finish(ORDER), {
    name: 'RecordingFault',
    stage: 'finalize',
    code: 'no_frames_captured',
    message: 'none',
    retryable: false,
  });
  const fault = { stage: 'finalize', code: 'no_frames_captured', message: 'none', retryable: false } as const;
  thread().say({ kind: 'fault', call: calls()[0] ?? 0, fault });
  await asked;
});

t.test('a thread that dies rejects what it was asked, and the next question has another', async (t) => {
  const { threads, thread, calls, finisher } = open();
  const finishing = t.rejects(finisher.finish(ORDER), { ...INTERRUPTED, stage: 'finalize' });
  const verifying = t.rejects(finisher.verify(OBJECT), { ...INTERRUPTED, stage: 'verify' });
  thread().die('exit code 1');
  await finishing;
  await verifying;
  const again = finisher.finish(ORDER);
  t.equal(threads.length, 2);
  const call = calls()[0] ?? 0;
  thread(0).say({ kind: 'finished', call, recording: { ...RECORDING, byteSize: 9 } });
  thread(0).die('again');
  thread().say({ kind: 'finished', call, recording: RECORDING });
  t.strictSame(await again, RECORDING, 'the dead one is not heard any more');
});

t.test('a thread that falls silent at work is given up and left alone; one that says it is alive is not', async (t) => {
  const { clock, threads, thread, finisher } = open();
  const asked = t.rejects(finisher.verify(OBJECT), INTERRUPTED);
  for (let turn = 0; turn < 5; turn++) {
    await clock.advance(SILENCE_MS_MAX - 1);
    thread().say({ kind: 'alive' });
  }
  t.equal(thread().asked.length, 1);
  await clock.advance(SILENCE_MS_MAX);
  await asked;
  t.equal(thread().closed, 0, 'a thread that is stopped inside FFmpeg takes the process along');
  t.match(thread().asked.at(-1), { kind: 'close' }, 'it ends itself when it is done');
  void finisher.verify(OBJECT).catch(() => undefined);
  t.equal(threads.length, 2, 'the next question has another');
});

t.test('a finalization in a hung thread is left to it, and a repeated call gets its result', async (t) => {
  const { clock, threads, thread, calls, finisher } = open();
  const asked = t.rejects(finisher.finish(ORDER), INTERRUPTED);
  await clock.advance(SILENCE_MS_MAX);
  await asked;
  const again = finisher.finish(ORDER);
  const other = finisher.finish({ ...ORDER, targetFile: '/other' });
  t.equal(threads.length, 2);
  t.strictSame(
    thread().asked.map((message) => message.kind === 'finish' && message.order.targetFile),
    ['/other'],
    'no two threads write one file',
  );
  thread(0).say({ kind: 'finished', call: calls(0)[0] ?? 0, recording: RECORDING });
  t.strictSame(await again, RECORDING);
  thread().say({ kind: 'finished', call: calls()[0] ?? 0, recording: { ...RECORDING, byteSize: 7 } });
  t.match(await other, { byteSize: 7 });
  void finisher.finish(ORDER).catch(() => undefined);
  t.equal(thread().asked.length, 2, 'once it is done with it another may');
});

t.test('a hung thread is not waited for for ever, nor when it dies', async (t) => {
  const { clock, thread, finisher } = open();
  const asked = t.rejects(finisher.finish(ORDER), INTERRUPTED);
  await clock.advance(SILENCE_MS_MAX);
  await asked;
  const tooLong = t.rejects(finisher.finish(ORDER), INTERRUPTED);
  await clock.advance(300_000);
  await tooLong;
  const dead = t.rejects(finisher.finish(ORDER), { ...INTERRUPTED, message: /exit code 1/ });
  thread(0).die('exit code 1');
  await dead;
  void finisher.finish(ORDER).catch(() => undefined);
  t.match(thread().asked, [{ kind: 'finish', order: ORDER }]);
});

t.test('a disk on which threads hang is asked nothing more until one is done', async (t) => {
  const { clock, threads, thread, finisher } = open();
  for (let hung = 0; hung < 2; hung++) {
    const asked = t.rejects(finisher.verify(OBJECT), INTERRUPTED);
    await clock.advance(SILENCE_MS_MAX);
    await asked;
  }
  await t.rejects(finisher.verify(OBJECT), INTERRUPTED);
  finisher.warm();
  t.equal(threads.length, 2);
  thread(0).die('exit code 0');
  void finisher.verify(OBJECT).catch(() => undefined);
  t.equal(threads.length, 3);
});

t.test('a thread without work may be silent for ever', async (t) => {
  const { clock, thread, calls, finisher } = open();
  const verified = finisher.verify(OBJECT);
  thread().say({ kind: 'verified', call: calls()[0] ?? 0, same: true });
  await verified;
  await clock.advance(SILENCE_MS_MAX * 10);
  t.equal(thread().closed, 0);
  t.equal(clock.waiting, 0);
});

t.test('answers to nothing are ignored', async (t) => {
  const { thread, finisher } = open();
  finisher.warm();
  thread().say({ kind: 'verified', call: 77, same: true }, { kind: 'alive' });
  await settled();
  t.equal(thread().closed, 0);
});

t.test('closing ends what was asked and what is asked later, and waits for the thread to end itself', async (t) => {
  const { threads, thread, finisher } = open();
  const asked = t.rejects(finisher.verify(OBJECT), INTERRUPTED);
  let closed = false;
  const closing = finisher.close().then(() => {
    closed = true;
  });
  await finisher.close();
  await asked;
  t.match(thread().asked.at(-1), { kind: 'close' });
  t.equal(closed, false);
  thread().die('exit code 0');
  await closing;
  t.equal(thread().closed, 0, 'it was not ended from outside');
  await t.rejects(finisher.finish(ORDER), INTERRUPTED);
  finisher.warm();
  t.equal(threads.length, 1);
});

t.test('closing does not wait for ever, and not at all for a thread that never was', async (t) => {
  const { clock, thread, finisher } = open();
  finisher.warm();
  const closing = finisher.close();
  await clock.advance(5_000);
  await closing;
  t.equal(thread().closed, 0);
  await open().finisher.close();
});

t.test('the log names the recordings of questions that fail by a fault of ours or with the thread', async (t) => {
  const { finisher, thread, lines } = open();
  const about = (recordingId: string) => ({ sessionId: 'ses_1', recordingId });
  const known = t.rejects(finisher.finish(ORDER, about('rec_1')));
  const ours = t.rejects(finisher.verify(OBJECT, about('rec_2')));
  const unheard = t.rejects(finisher.verify(OBJECT, about('rec_3')));
  const fault = { stage: 'verify', code: 'storage_error', message: 'failed', retryable: true } as const;
  thread().say({ kind: 'fault', call: 1, fault }, { kind: 'fault', call: 2, fault, cause: 'EIO /secret' });
  thread().die('exit code 3');
  await Promise.all([known, ours, unheard]);
  t.match(lines, [
    { ...about('rec_2'), stage: 'verify', code: 'storage_error', cause: 'EIO /secret' },
    { ...about('rec_3'), stage: 'verify', reason: 'exit code 3' },
  ]);
  t.equal(lines.length, 2);
});
