import type { DoctorReport } from '@runcloud/protocol';
import t from 'tap';
import { envelopeFault, sentenceOf } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

// A host with none of the programs of real devices.
const server = await startServer({ PATH: t.testdir(), HOME: t.testdirName });
t.teardown(() => server.close());

t.test('on a host without real devices the service runs, and tells its operator what it lacks', async (t) => {
  const { status, body } = await server.rest.call<DoctorReport>('GET', '/service/doctor');
  t.equal(status, 200);
  t.match(body.findings, [
    { what: 'Virtual devices', state: 'ready' },
    { what: 'adb', state: 'missing', fix: /install the Android SDK/ },
  ]);
  for (const { what, state, fix } of body.findings) t.equal(state === 'missing', fix !== undefined, what);
  t.equal((await server.rest.createSession('ios')).device.driver, 'virtual');
});

t.test('to any other account there is nothing at that address, as at one that does not exist', async (t) => {
  const { rest } = server.addAccount('stranger');
  const answers = await Promise.all(
    ['/service/doctor', '/service/nothing'].map(async (path) => {
      const response = await rest.fetch(path);
      const text = await response.text();
      t.equal(envelopeFault('not_found', response.status, text), undefined, path);
      return sentenceOf(text);
    }),
  );
  t.equal(answers[0], answers[1]);
  t.equal((await fetch(`${server.url}/service/doctor`)).status, 401);
});
