import { newId } from '@runcloud/protocol/terms';
import t, { type Test } from 'tap';
import type { KnownHost } from '../../server/fleet/edge-channels.ts';
import type { HostCalls } from '../../server/fleet/host-calls.ts';
import { HostReports } from '../../server/fleet/host-reports.ts';
import type { OutboxPage } from '../../server/fleet/messages.ts';
import type { HostReport } from '../../server/store/host-session-table.ts';
import type { SessionRow } from '../../server/store/session-row.ts';
import { openStore } from '../store/open-store.ts';
import { sessionRow } from '../store/session-rows.ts';
import { until } from '../support/until.ts';

const PLACE = 'AAAAAA';
const LEASE = 'lse_4kZ1bQx7RmT9vLs2WcHn0e';

/** A host that has these reports in its outbox, from position 1 on, and tells two at a time. */
function open(t: Test, outbox: HostReport[]) {
  const store = openStore(t);
  const asked: number[] = [];
  const faults: string[] = [];
  let beforeCommit = () => {};
  const calls = {
    call: async (_host: KnownHost, _head: object, { body }: { readonly body: Uint8Array }) => {
      const after = Number(Buffer.from(body).toString());
      asked.push(after);
      const reports = outbox.slice(after, after + 2);
      const page: OutboxPage = { reports, position: after + reports.length, more: after + 2 < outbox.length };
      return { status: 200, body: JSON.stringify(page) };
    },
  } as unknown as HostCalls;
  const reports = new HostReports({
    calls,
    table: store.hostSessions,
    commit: async (task) => {
      beforeCommit();
      store.atomically(task);
    },
    onFault: (error) => faults.push(String(error)),
  });
  const heard = (newest: number) =>
    reports.heard({ name: 'host-1', isAway: false, presence: { place: PLACE, outbox: newest } } as KnownHost);
  const position = () => store.hostSessions.position(PLACE);
  return {
    store,
    asked,
    faults,
    heard,
    position,
    told: (newest: number) => until(() => position() === newest, `position ${newest}`),
    set onCommit(task: () => void) {
      beforeCommit = task;
    },
  };
}

const report = (more: Partial<SessionRow> = {}): HostReport => ({
  kind: 'session',
  row: sessionRow({ id: newId('ses', PLACE), leaseId: LEASE, deviceId: 'dev_1', ...more }),
});

t.test('an edge takes all that a host has to tell, and asks no more until there is more', async (t) => {
  const outbox = [report(), report(), report()];
  const host = open(t, outbox);
  host.heard(3);
  host.heard(3);
  await host.told(3);
  for (const { row } of outbox) t.match(host.store.hostSessions.get('acc_acme', row.id), row);
  t.strictSame(host.asked, [0, 2]);
  host.heard(3);
  t.strictSame(host.asked, [0, 2]);
  const [first] = outbox;
  if (first?.kind === 'session') outbox.push({ ...first, row: { ...first.row, status: 'released', releasedAtMs: 9 } });
  host.heard(4);
  await host.told(4);
  t.match(host.store.hostSessions.get('acc_acme', first?.row.id ?? ''), { status: 'released' });
  t.strictSame(host.faults, []);
});

t.test('a host whose data are of an earlier day tells all of it again', async (t) => {
  const host = open(t, [report(), report()]);
  host.store.hostSessions.keep(PLACE, [], 7);
  host.heard(2);
  await host.told(2);
  t.strictSame(host.asked, [0]);
});

t.test('what another edge has taken meanwhile is not taken again', async (t) => {
  const host = open(t, [report()]);
  host.onCommit = () => host.store.hostSessions.keep(PLACE, [], 5);
  host.heard(1);
  await until(() => host.position() === 5, 'the other edge was faster');
  await new Promise((resolve) => setImmediate(resolve));
  t.equal(host.position(), 5);
});

t.test('what a host cannot have made, or no client could be told, is left out and said', async (t) => {
  const foreign = report({ id: newId('ses', 'BBBBBB') });
  const broken = report({ status: 'asleep' as never });
  const none = { kind: 'session' } as unknown as HostReport;
  const good = report();
  const recording = {
    kind: 'recording',
    row: { id: newId('rec', PLACE), sessionId: foreign.row.id },
    events: [],
  } as unknown as HostReport;
  const host = open(t, [foreign, broken, none, recording, good]);
  host.heard(5);
  await host.told(5);
  t.equal(host.faults.length, 4, host.faults.join('\n'));
  t.match(host.faults[0], /not of this host/);
  t.match(host.faults[3], /session is not of this host/);
  t.equal(host.store.hostSessions.get('acc_acme', foreign.row.id), undefined);
  t.equal(host.store.hostSessions.get('acc_acme', broken.row.id), undefined);
  t.ok(host.store.hostSessions.get('acc_acme', good.row.id));
});
