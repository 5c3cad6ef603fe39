import t from 'tap';
import { CaptureGate } from '../../server/host/capture-gate.ts';
import { settled } from '../support/fake-clock.ts';
import { deferred, ScriptedDevice } from '../support/scripted-device.ts';

t.test('no picture is captured while one is read', async (t) => {
  const device = new ScriptedDevice();
  const gate = new CaptureGate(device);
  const told: string[] = [];
  const reading = deferred<string>();
  const first = gate.capture(() => {
    told.push('first');
    return reading.promise;
  });
  const second = gate.capture(() => void told.push('second'));
  let idle = false;
  void gate.settled().then(() => {
    idle = true;
  });
  await settled();
  t.strictSame(told, ['first']);
  reading.resolve('read');
  t.equal(await first, 'read');
  t.equal(idle, false);
  await second;
  t.strictSame(told, ['first', 'second']);
  await gate.settled();
  await settled();
  t.equal(idle, true);
});

t.test('a picture that cannot be read, or captured, holds nobody up', async (t) => {
  const device = new ScriptedDevice();
  const gate = new CaptureGate(device);
  await t.rejects(
    gate.capture(async () => {
      throw new Error('unreadable');
    }),
    { message: 'unreadable' },
  );
  const { capture } = device;
  device.capture = async () => {
    throw new Error('no signal');
  };
  await t.rejects(
    gate.capture(() => undefined),
    { message: 'no signal' },
  );
  await gate.settled();
  device.capture = capture;
  t.equal(await gate.capture(({ version }) => version), device.picture.version);
});
