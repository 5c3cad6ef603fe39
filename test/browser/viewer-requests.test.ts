import type { Acknowledgement } from '@runcloud/protocol';
import t from 'tap';
import { endingOf } from '../../client/viewer/connection/ending.ts';
import { type Delivery, SOON_MS, ViewerRequests } from '../../client/viewer/connection/requests.ts';
import { settled } from '../support/fake-clock.ts';

function arena(connected = true) {
  const sent: string[] = [];
  const line = { connected, nowMs: 0 };
  const requests = new ViewerRequests({
    send: ({ requestId }) => {
      if (line.connected) sent.push(requestId);
      return line.connected;
    },
    sent: () => sent.length,
    now: () => line.nowMs,
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

t.test(
  'after a resumed connection only what did not arrive is sent again, and no input that is late by then',
  async (t) => {
    const { sent, line, requests } = arena();
    const ends = new Map<string, Acknowledgement>();
    const ask = (requestId: string, delivery: Delivery) => {
      void requests.ask({ requestId, action: 'pressKey' }, delivery).then((end) => ends.set(requestId, end));
    };
    ask('arrived', 'soon');
    ask('lost', 'soon');
    ask('read', 'again');
    line.nowMs += SOON_MS;
    ask('just now', 'soon');
    line.connected = false;
    requests.lost();
    line.nowMs += 1;
    line.connected = true;
    requests.resume(1);
    await settled();
    t.same(sent, ['arrived', 'lost', 'read', 'just now', 'read', 'just now']);
    t.match(ends.get('lost'), { ok: false, error: { message: 'Not sent: the connection was lost.', retryable: true } });
    line.nowMs += SOON_MS;
    requests.lost();
    requests.resume(6);
    await settled();
    t.equal(sent.length, 6, 'what was sent again has arrived by now');
    t.equal(ends.has('just now'), false);
    requests.settle(done('arrived'));
    await settled();
    t.equal(ends.get('arrived')?.ok, true, 'its outcome comes over the new socket');
    // Another connection tells nothing of what arrived over the one before.
    line.nowMs += SOON_MS;
    requests.lost();
    requests.resume();
    await settled();
    t.same(sent.slice(6), ['read']);
    t.match(ends.get('just now'), { ok: false, error: { message: 'The connection was lost.' } });
    requests.end('Over.');
  },
);

t.test('a live gesture is never asked again', async (t) => {
  const { sent, line, requests } = arena();
  const gesture = requests.ask({ requestId: 'p-1', type: 'pointer' }, 'once');
  requests.lost();
  requests.resume();
  t.same(sent, ['p-1']);
  t.match(await gesture, { ok: false, action: 'pointer', error: { code: 'interaction_transport_error' } });
  line.connected = false;
  t.match(await requests.ask({ requestId: 'p-2' }, 'once'), { ok: false }, 'nor does one wait for a connection');
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
