import type { Acknowledgement, UiAnswer } from '@runcloud/protocol';
import t from 'tap';
import { hasAdb } from '../support/android/has-adb.ts';
import { standInService } from '../support/android/stand-in-service.ts';
import { ControlClient } from '../support/control-client.ts';

const skip = hasAdb ? false : 'NO ADB: Android devices are NOT tested';
const DUMP_MS = 700;

t.test('a device whose dumps take long makes one for all who wait, and takes input meanwhile', { skip }, async (t) => {
  const { session, server, emulator } = await standInService(t);
  const { rest } = server;
  const { system } = emulator;
  const record = await session();
  let [dumps, running, most] = [0, 0, 0];
  /** Delays the answer, and leaves it to the device. */
  system.override = async ([name]) => {
    if (name !== 'uiautomator') return undefined;
    dumps++;
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, DUMP_MS));
    running--;
    return undefined;
  };
  const socket = await ControlClient.connect(server.url, record, rest.authorization);
  const waits = Array.from({ length: 12 }, (_, index) => `w${index}`);
  for (const requestId of waits) socket.send({ type: 'ui.wait', requestId, target: { role: 'textfield' } });
  // A look at the picture alone: nothing has changed that would be read again at once.
  t.match(await socket.interact({ requestId: 'open', action: 'launchApp', app: 'com.standin.notes' }), { ok: true });
  t.notOk(
    socket.messages.some((message) => message.type === 'result' && message.requestId === 'w0'),
    'the input did not wait for the waits',
  );
  for (const requestId of waits) {
    t.match(await socket.result(requestId), { ok: true, result: { holds: true, element: { role: 'textfield' } } });
  }
  t.equal(most, 1, 'one dump at a time');
  t.ok(dumps < waits.length, `${dumps} dumps for ${waits.length} waits`);

  const post = async (path: string, body: object) =>
    (await rest.call<UiAnswer & Acknowledgement>('POST', `/service/android/${record.id}/ui/${path}`, body)).body;
  const before = dumps;
  t.match(await post('wait', { target: { text: 'Never there' }, timeoutMs: 4_000 }), {
    error: { code: 'wait_timeout', message: /^No element "Never there" in frame \d+\./ },
  });
  t.ok(dumps - before <= 4, `${dumps - before} dumps of a picture that stays`);
  t.match(await post('check', { target: { role: 'textfield' }, is: 'enabled' }), { holds: true });
  t.match(await post('wait', { idle: true }), { holds: true, idle: 'settled' });
  t.match(await post('wait', { target: { text: 'Never there' }, timeoutMs: 100 }), {
    error: { message: 'No look at the screen has ended in that time.' },
  });
  system.override = ([name]) =>
    name === 'uiautomator' ? { code: 1, out: 'ERROR: could not get idle state.\n' } : undefined;
  t.match(await post('wait', { target: { text: 'Never there' }, timeoutMs: 3_000 }), {
    error: { code: 'wait_timeout', message: /does not stand still/ },
  });
  system.override = undefined;
  await socket.close();
  await rest.releaseSession(record.id);
});
