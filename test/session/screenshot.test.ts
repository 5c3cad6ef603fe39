import t from 'tap';
import { DeviceFault } from '../../server/device/fault.ts';
import { takeScreenshot } from '../../server/session/screenshot.ts';
import { settled } from '../support/fake-clock.ts';
import { tap } from '../support/interaction-arena.ts';
import { openSessions } from '../support/session-arena.ts';

async function open(t: Parameters<typeof openSessions>[0]) {
  const arena = openSessions(t);
  const { record } = await arena.create();
  const session = arena.live(record.id);
  return { ...arena, device: arena.lastDevice, session };
}

t.test('a screenshot does not wait for the interactions', async (t) => {
  const { session, device } = await open(t);
  device.patient = true;
  session.interactions.submit(tap('slow'), { settled: () => undefined });
  await settled();
  const { png, width, height } = await takeScreenshot(session);
  t.equal(Buffer.from(png.subarray(1, 4)).toString(), 'PNG');
  t.strictSame([width, height], [device.descriptor.width, device.descriptor.height]);
});

t.test('each failure of the device has its own code', async (t) => {
  const { session, device } = await open(t);
  for (const [kind, code] of [
    ['failed', 'screenshot_failed'],
    ['unreachable', 'screenshot_transport_error'],
    ['nonsense', 'screenshot_invalid_response'],
    ['aborted', 'screenshot_cancelled'],
  ] as const) {
    device.capture = async () => {
      throw new DeviceFault(kind, 'No picture.');
    };
    await t.rejects(takeScreenshot(session), { code, message: 'No picture.' });
  }
});

t.test('a screenshot that takes longer than the caller waits is given up', async (t) => {
  const { session, device, clock } = await open(t);
  device.capture = () => new Promise(() => undefined);
  const refused = t.rejects(takeScreenshot(session, { timeoutMs: 500 }, clock), {
    code: 'screenshot_timeout',
    retryable: true,
  });
  await clock.advance(500);
  await refused;
});
