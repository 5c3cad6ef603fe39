import type { Acknowledgement } from '@runcloud/protocol';
import t from 'tap';
import { endingOf } from '../../client/viewer/connection/ending.ts';
import { ViewerRequests } from '../../client/viewer/connection/requests.ts';

function arena(connected = true) {
  const sent: string[] = [];
  const line = { connected };
  const requests = new ViewerRequests(({ requestId }) => {
    if (line.connected) sent.push(requestId);
    return line.connected;
  });
  return { sent, line, requests };
}

const done = (requestId: string): Acknowledgement => ({
  ok: true,
  requestId,
  status: 'completed',
  acceptedAt: '2026-01-02T03:04:05.006Z',
  completedAt: '2026-01-02T03:04:05.016Z',
  durationMs: 10,
});

t.test('requests of before the connection, and those it lost, are asked in their order', async (t) => {
  const { sent, line, requests } = arena(false);
  const first = requests.ask({ requestId: 'r-1' });
  const second = requests.ask({ requestId: 'r-2' });
  t.same(sent, []);
  line.connected = true;
  requests.resume();
  t.same(sent, ['r-1', 'r-2']);
  requests.settle(done('r-1'));
  t.equal((await first).ok, true);
  requests.lost();
  requests.resume();
  t.same(sent, ['r-1', 'r-2', 'r-2'], 'only what is open is asked again');
  requests.settle(done('r-2'));
  requests.settle(done('r-2'));
  t.equal((await second).ok, true);
  t.equal(requests.size, 0);
});

t.test('a live gesture is never asked again', async (t) => {
  const { sent, line, requests } = arena();
  const gesture = requests.ask({ requestId: 'p-1', type: 'pointer' }, false);
  requests.lost();
  requests.resume();
  t.same(sent, ['p-1']);
  t.match(await gesture, { ok: false, action: 'pointer', error: { code: 'interaction_transport_error' } });
  line.connected = false;
  t.match(await requests.ask({ requestId: 'p-2' }, false), { ok: false }, 'nor does one wait for a connection');
});

t.test('a request ends also when nobody will answer', async (t) => {
  const { requests } = arena();
  const open = requests.ask({ requestId: 'r-1', action: 'tap' });
  t.match(await requests.ask({ requestId: 'r-1' }), { error: { code: 'duplicate_request' } });
  requests.end('Session ended.');
  t.match(await open, { action: 'tap', error: { message: 'Session ended.', retryable: false } });
});

t.test('close codes that are final have words; the others lead to another attempt', (t) => {
  for (const code of [1001, 1006, 1011, 1012, 4408]) t.equal(endingOf(code), undefined, `${code}`);
  t.match(endingOf(4401), { title: /no longer valid/ });
  t.match(endingOf(4404, 'inactivity_timeout'), { title: 'Session ended', detail: /not used/ });
  t.match(endingOf(4404, 'anything else'), { detail: /stopped working/ });
  t.match(endingOf(1008), { retry: true });
  t.end();
});
