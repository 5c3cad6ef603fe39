import type { ErrorCode, RecordingList } from '@runcloud/protocol';
import t from 'tap';
import { envelopeFault } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

/** The checks of a start, in the order of all routes; this disk never has enough room. */

const server = await startServer({ RUNCLOUD_DISK_HEADROOM: '100000000/0', RUNCLOUD_DEVICES: 'virtual-ios:1' });
t.teardown(() => server.close());
const session = await server.rest.createSession('ios');
const HERE = `/service/ios/${session.id}/recordings`;
const NOWHERE = '/service/ios/ses_0123456789ABCDEFGHIJKL/recordings';
const BAD_KEY = { 'Idempotency-Key': 'x'.repeat(201) };

const ORDER: readonly (readonly [string, ErrorCode, string, RequestInit, boolean])[] = [
  ['no key of the account, a bad idempotency key', 'authentication_required', HERE, { headers: BAD_KEY }, true],
  ['a wrong method, no such session', 'method_not_allowed', NOWHERE, { method: 'DELETE' }, false],
  ['no such session, a bad idempotency key', 'active_session_not_found', NOWHERE, { headers: BAD_KEY }, false],
  ['a bad idempotency key, no room', 'invalid_recording_request', HERE, { headers: BAD_KEY }, false],
  ['no room', 'recording_capacity_unavailable', HERE, {}, false],
];

for (const [name, code, path, init, anonymous] of ORDER) {
  t.test(`${name}: ${code}`, async (t) => {
    const request = { method: 'POST', ...init };
    const response = await (anonymous ? fetch(server.url + path, request) : server.rest.fetch(path, request));
    t.equal(envelopeFault(code, response.status, await response.text()), undefined);
    t.equal(response.headers.get('retry-after'), code === 'recording_capacity_unavailable' ? '60' : null);
  });
}

t.test('a refused start leaves no recording behind', async (t) => {
  t.strictSame((await server.rest.call<RecordingList>('GET', HERE)).body, { recordings: [] });
});

t.test('the metrics tell what became of recordings', async (t) => {
  const other = await startServer();
  t.teardown(() => other.close());
  const { id } = await other.rest.createSession('ios');
  await other.rest.call('POST', `/service/ios/${id}/recordings`);
  await other.rest.releaseSession(id);
  const text = await (await fetch(`${other.url}/metrics`)).text();
  for (const status of ['starting', 'recording', 'finalizing', 'ready']) {
    t.match(text, `runcloud_recordings_total{platform="ios",status="${status}"} 1`);
  }
});
