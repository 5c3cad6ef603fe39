import t from 'tap';
import { HostLink } from '../../server/link/host-link.ts';
import type { FromHost, Question } from '../../server/link/messages.ts';
import type { CaptureEnding, CaptureSummary } from '../../server/link/recording-messages.ts';
import { startRecording } from '../../server/link/remote-recording.ts';
import { settled } from '../support/fake-clock.ts';
import { portPair } from '../support/port-pair.ts';

const ORDER = { partFile: '/part', journalFile: '/journal', maxDurationMs: 1_000, headroomBytes: 1 };
const STARTED = { startedAtMs: 5, width: 590, height: 1280 };
const SUMMARY: CaptureSummary = { stoppedAtMs: 9, durationMs: 4, sampleCount: 1, bytes: 10, reason: 'limit' };
const FAULT = { stage: 'capture', code: 'encoder_failed', message: 'broken', retryable: false } as const;
const DEVICE = 3;

/** A recording that is being asked for; the far end of the link is the test itself. */
async function open() {
  const pair = portPair();
  const link = new HostLink(pair.gateway);
  const endings: CaptureEnding[] = [];
  const starting = startRecording(link, DEVICE, ORDER, { ended: (ending) => void endings.push(ending) });
  starting.catch(() => undefined);
  await settled();
  const asked = () => pair.gateway.sent.flat() as Question[];
  const [question] = asked();
  const { call, recording } = question as Extract<Question, { kind: 'startRecording' }>;
  const say = async (...messages: FromHost[]) => {
    pair.host.send(messages, []);
    await settled();
    await settled();
  };
  const begun: FromHost = { kind: 'answer', call, value: STARTED };
  return { pair, link, starting, endings, asked, call, recording, say, begun };
}

t.test('a recording is asked for by its number, and begins with what the host answers', async (t) => {
  const { starting, asked, say, begun, recording } = await open();
  t.match(asked(), [{ kind: 'startRecording', device: DEVICE, recording, order: ORDER }]);
  await say(begun);
  t.match(await starting, STARTED);
});

t.test('its stop is answered with the summary, and its own end is not told any more', async (t) => {
  const { starting, asked, say, begun, recording, endings } = await open();
  await say(begun);
  const stopped = (await starting).stop();
  await settled();
  const stop = asked()[1];
  t.match(stop, { kind: 'stopRecording', device: DEVICE, recording });
  await say(
    { kind: 'recordingEnded', recording, ending: { fault: FAULT } },
    { kind: 'answer', call: stop?.call ?? 0, value: SUMMARY },
  );
  t.strictSame(await stopped, SUMMARY);
  t.strictSame(endings, []);
});

t.test('its own end is told once, and is what a later stop answers', async (t) => {
  const { starting, asked, say, begun, recording, endings } = await open();
  await say(begun);
  const ending = { summary: SUMMARY };
  await say({ kind: 'recordingEnded', recording, ending }, { kind: 'recordingEnded', recording, ending });
  t.strictSame(endings, [ending]);
  t.strictSame(await (await starting).stop(), SUMMARY);
  t.equal(asked().length, 1, 'the host is not asked');
});

t.test('an end that comes with the beginning is told after it', async (t) => {
  const { starting, say, begun, recording, endings } = await open();
  const order: string[] = [];
  const seen = starting.then(() => order.push(`begun, ${endings.length} ends`));
  await say(begun, { kind: 'recordingEnded', recording, ending: { fault: FAULT } });
  await seen;
  await settled();
  t.strictSame(order, ['begun, 0 ends']);
  t.strictSame(endings, [{ fault: FAULT }]);
  await t.rejects((await starting).stop(), { name: 'RecordingFault', ...FAULT });
});

t.test('a start that fails rejects with the fault of the host, and nothing is told afterwards', async (t) => {
  const { starting, say, call, recording, endings } = await open();
  await say({ kind: 'fault', call, fault: { kind: 'failed', message: 'broken', recording: FAULT } });
  await t.rejects(starting, { name: 'RecordingFault', ...FAULT });
  await say({ kind: 'recordingEnded', recording, ending: { fault: FAULT } });
  t.strictSame(endings, []);
});

t.test('a fault of the device is told in the words of recordings', async (t) => {
  const { starting, say, call } = await open();
  await say({ kind: 'fault', call, fault: { kind: 'failed', message: 'stuck' } });
  await t.rejects(starting, { name: 'RecordingFault', code: 'capture_interrupted', message: 'stuck' });
});

t.test('a device that is lost takes its recording along, and no other', async (t) => {
  const { starting, say, begun, endings } = await open();
  await say(begun, { kind: 'lost', device: DEVICE + 1, reason: 'unplugged' });
  await starting;
  t.strictSame(endings, []);
  await say({ kind: 'lost', device: DEVICE, reason: 'It was unplugged.' });
  t.match(endings, [{ fault: { code: 'device_lost', stage: 'capture', message: /recorded: It was unplugged\.$/ } }]);
  await t.rejects((await starting).stop(), { code: 'device_lost' });
});

t.test('a host that dies takes its recordings along, begun or not', async (t) => {
  const one = await open();
  await one.say(one.begun);
  const recording = await one.starting;
  const stopped = t.rejects(recording.stop(), { name: 'RecordingFault', code: 'device_lost' });
  one.pair.breakHost('exit code 1');
  await stopped;
  const two = await open();
  two.pair.breakHost('exit code 1');
  await t.rejects(two.starting, { name: 'RecordingFault', code: 'device_lost' });
  t.strictSame(two.endings, []);
});

t.test('a recording of a host that is dead already does not begin', async (t) => {
  const pair = portPair();
  const link = new HostLink(pair.gateway);
  pair.breakHost('exit code 1');
  await t.rejects(startRecording(link, 1, ORDER, { ended: () => t.fail('nothing began') }), { code: 'device_lost' });
});
