import { LIMITS, type ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import {
  ASKING_RULE,
  DEVICE_CODE_LIFE_MS,
  PENDING_MAX,
  POLL_INTERVAL_MS,
  USER_CODE_RULE,
} from '../../server/account/device-authorizations.ts';
import { makeSecret } from '../../server/account/secret-text.ts';
import { WHOLE } from '../support/whole-list.ts';
import { ADDRESS, openAccounts } from './account-arena.ts';

const CLI = 'runcloud-cli';
const from = (address: string, holder = address) => ({ address, holder });

function asking(t: Parameters<typeof openAccounts>[0]) {
  const arena = openAccounts(t);
  const { devices } = arena.services;
  const who = { accountId: arena.accounts.create('acme').account.id };
  const begun = devices.begin(CLI, "Ada's laptop", from(ADDRESS));
  const poll = (code = begun.deviceCode, client = CLI) => {
    arena.clock.advance(POLL_INTERVAL_MS);
    return devices.poll(code, client);
  };
  return { ...arena, devices, who, begun, poll };
}

t.test('a person sees which program asks, approves it, and the program gets its tokens once', async (t) => {
  const { devices, who, begun, poll, services } = asking(t);
  t.throws(() => poll(), { code: 'authorization_pending' });
  t.match(devices.read(who, begun.userCode), {
    userCode: begun.userCode,
    client: 'RunCloud command line',
    deviceName: "Ada's laptop",
    address: ADDRESS,
  });
  t.equal(devices.decide(who, begun.userCode.toLowerCase(), true), begun.userCode);
  const tokens = poll();
  t.match(services.authenticate(`Bearer ${tokens.accessToken}`), { accountId: who.accountId });
  t.match(services.tokens.list(who, WHOLE).items, [{ deviceName: "Ada's laptop" }]);
  t.throws(() => poll(), { code: 'invalid_grant' }, 'the code is used up');
});

t.test('a program that is denied is told so, and nobody can change the decision', async (t) => {
  const { devices, who, begun, poll, services } = asking(t);
  devices.decide(who, begun.userCode, false);
  t.throws(() => devices.decide(who, begun.userCode, true), { code: 'device_request_not_found' });
  t.throws(() => devices.read(who, begun.userCode), { code: 'device_request_not_found' });
  t.throws(() => poll(), { code: 'access_denied' });
  t.strictSame(services.tokens.list(who, WHOLE).items, []);
});

t.test('the first decision stands, whoever makes the second', async (t) => {
  const { devices, who, begun, poll, services, accounts } = asking(t);
  const other = { accountId: accounts.create('other').account.id };
  devices.decide(who, begun.userCode, true);
  t.throws(() => devices.decide(other, begun.userCode, true), { code: 'device_request_not_found' });
  const { accessToken } = poll();
  t.match(services.authenticate(`Bearer ${accessToken}`), { accountId: who.accountId });
});

t.test('a code expires, also one that was approved', async (t) => {
  const { devices, who, begun, poll, clock } = asking(t);
  const approved = devices.begin(CLI, undefined, from(ADDRESS));
  devices.decide(who, approved.userCode, true);
  clock.advance(DEVICE_CODE_LIFE_MS);
  t.throws(() => poll(), { code: 'expired_token' });
  t.throws(() => poll(approved.deviceCode), { code: 'expired_token' });
  t.throws(() => devices.decide(who, begun.userCode, true), { code: 'device_request_not_found' });
  t.ok(DEVICE_CODE_LIFE_MS <= 900_000);
});

t.test('a program that polls early is slowed down by five seconds each time', async (t) => {
  const { devices, begun, clock, who } = asking(t);
  const poll = () => devices.poll(begun.deviceCode, CLI);
  t.throws(poll, { code: 'authorization_pending' }, 'the first may come at any time');
  clock.advance(1_000);
  t.throws(poll, { code: 'slow_down' });
  clock.advance(5_000);
  t.throws(poll, { code: 'slow_down' }, 'the interval is ten seconds by now');
  devices.decide(who, begun.userCode, true);
  clock.advance(14_000);
  t.throws(poll, { code: 'slow_down' }, 'fifteen, and a poll too early gets no tokens');
  clock.advance(20_000);
  t.ok(poll());
});

t.test('a code that was never given out, or of another client, is an invalid grant', async (t) => {
  const { devices, begun, poll } = asking(t);
  for (const code of ['', 'nonsense', makeSecret('device'), makeSecret('access')]) {
    t.throws(() => devices.poll(code, CLI), { code: 'invalid_grant' }, code);
  }
  t.throws(() => poll(begun.deviceCode, 'other'), { code: 'invalid_grant' });
});

t.test('wrong codes make the person wait, and nobody else', async (t) => {
  const { devices, who, begun, accounts, clock } = asking(t);
  const wrong = begun.userCode === 'BBBB-BBBB' ? 'CCCC-CCCC' : 'BBBB-BBBB';
  for (let n = 0; n <= USER_CODE_RULE.free; n++) {
    t.throws(() => devices.read(who, n % 2 === 0 ? wrong : 'AAAA'), { code: 'device_request_not_found' });
  }
  t.throws(() => devices.read(who, begun.userCode), { code: 'rate_limited', retryAfterSeconds: 10 });
  t.throws(() => devices.decide(who, begun.userCode, true), { code: 'rate_limited' });
  t.ok(devices.read({ accountId: accounts.create('other').account.id }, begun.userCode));
  clock.advance(10_000);
  t.ok(devices.read(who, begun.userCode));
});

t.test('right codes in between do not help to guess others', async (t) => {
  const { devices, who, begun } = asking(t);
  const wrong = begun.userCode === 'BBBB-BBBB' ? 'CCCC-CCCC' : 'BBBB-BBBB';
  let refusals = 0;
  for (let n = 0; n < 3 * USER_CODE_RULE.free; n++) {
    try {
      devices.read(who, wrong);
    } catch (error) {
      if ((error as ServiceError).code === 'rate_limited') refusals++;
    }
    if (n % 5 !== 4 || refusals > 0) continue;
    devices.read(who, begun.userCode);
    const own = devices.begin(CLI, undefined, from(`198.51.100.${n}`));
    devices.decide(who, own.userCode, true);
  }
  t.equal(refusals, 3 * USER_CODE_RULE.free - USER_CODE_RULE.free - 1);
});

t.test('a wall clock that is set back slows no program down', async (t) => {
  const { devices, begun, clock, who } = asking(t);
  const poll = () => devices.poll(begun.deviceCode, CLI);
  t.throws(poll, { code: 'authorization_pending' });
  clock.jumpWall(-3_600_000);
  for (let n = 0; n < 3; n++) {
    clock.advance(POLL_INTERVAL_MS);
    t.throws(poll, { code: 'authorization_pending' });
  }
  clock.advance(1_000);
  t.throws(poll, { code: 'slow_down' }, 'and the pace is kept by the new time');
  devices.decide(who, begun.userCode, true);
  clock.advance(POLL_INTERVAL_MS * 2);
  t.ok(poll());
});

t.test('an address that asks too often waits', async (t) => {
  const { devices, who, clock } = asking(t);
  const begin = (address = ADDRESS) => devices.begin(CLI, undefined, from(address));
  for (let n = 1; n <= ASKING_RULE.free; n++) devices.decide(who, begin().userCode, false);
  t.throws(() => begin(), { code: 'rate_limited', retryAfterSeconds: 10 });
  t.ok(begin('192.0.2.8'));
  clock.advance(10_000);
  t.ok(begin());
});

t.test('a few programs of one address wait at a time, and those of others can be approved meanwhile', async (t) => {
  const { devices, who, clock } = asking(t);
  // The arena's own is the first.
  for (let n = 2; n <= LIMITS.deviceRequestsPerAddress; n++)
    devices.begin(CLI, undefined, from(`2001:db8::${n}`, ADDRESS));
  clock.advance(1_000);
  t.throws(() => devices.begin(CLI, undefined, from('2001:db8::99', ADDRESS)), {
    code: 'rate_limited',
    retryAfterSeconds: DEVICE_CODE_LIFE_MS / 1_000 - 1,
  });
  const other = devices.begin(CLI, undefined, from('192.0.2.8'));
  devices.decide(who, other.userCode, true);
  t.ok(devices.poll(other.deviceCode, CLI));
});

t.test('a decided request no longer counts against the limit', async (t) => {
  const { devices, who } = asking(t);
  for (let n = 0; n < 2 * LIMITS.deviceRequestsPerAddress; n++) {
    devices.decide(who, devices.begin(CLI, undefined, from(ADDRESS)).userCode, n % 2 === 0);
  }
  t.ok(devices.begin(CLI, undefined, from(ADDRESS)));
});

t.test('an address that fills the room with others makes room itself, oldest first', async (t) => {
  const { devices, begun, clock, who } = asking(t);
  const begin = (holder: string) => devices.begin(CLI, undefined, from(holder));
  const busiest = Array.from({ length: LIMITS.deviceRequestsPerAddress }, () => {
    clock.advance(10);
    return begin('203.0.113.1');
  });
  for (let n = busiest.length + 1; n < PENDING_MAX; n++) begin(`198.51.100.${n}`);
  const pending = (deviceCode: string) =>
    t.throws(() => devices.poll(deviceCode, CLI), { code: 'authorization_pending' });
  const gone = (deviceCode: string) => t.throws(() => devices.poll(deviceCode, CLI), { code: 'invalid_grant' });
  const newcomer = begin('192.0.2.8');
  gone(busiest[0]?.deviceCode ?? '');
  for (const { deviceCode } of busiest.slice(1)) pending(deviceCode);
  pending(begun.deviceCode);
  devices.decide(who, newcomer.userCode, true);
  t.ok(devices.poll(newcomer.deviceCode, CLI));
});
