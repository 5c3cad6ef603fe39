import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { askConsole, consoleOf } from '../../../../server/drivers/android/emulator/emulator-console.ts';
import { EmulatorNetwork, parseStatus } from '../../../../server/drivers/android/emulator/emulator-network.ts';
import { EmulatorConsole } from '../../../support/android/emulator-console.ts';
import { GuestPhone } from '../../../support/android/guest-phone.ts';

const { signal } = new AbortController();
const one = (values: object) => ({
  downlinkKbps: undefined,
  uplinkKbps: undefined,
  networkDelayMs: undefined,
  ...values,
});

async function consoleOfTest(t: { teardown(work: () => void): unknown }) {
  const home = mkdtempSync(join(tmpdir(), 'runcloud-console-'));
  const guest = new GuestPhone();
  const emulator = new EmulatorConsole(guest);
  const port = await emulator.listen(home, 28_554);
  t.teardown(() => {
    emulator.close();
    guest.phone.close();
    rmSync(home, { recursive: true });
  });
  return { home, guest, emulator, address: () => consoleOf(port, { HOME: home }) };
}

t.test('the network is made slow one value at a time, told as the console has it, and put back', async (t) => {
  const { emulator, guest, address } = await consoleOfTest(t);
  await askConsole(address(), ['network speed gsm', 'network delay edge']);
  const network = new EmulatorNetwork(address());
  t.same(await network.begin([]), ['14400', '14400', '80', '400']);
  t.same(await network.told(signal), {}, 'neither whole kilobits nor one delay');
  await network.limit(one({ networkDelayMs: 250 }), signal);
  t.same(await network.told(signal), { networkDelayMs: 250 });
  await network.limit(one({ downlinkKbps: 400 }), signal);
  t.same(
    [emulator.speed, emulator.delayMs],
    [
      [14.4, 400],
      [250, 250],
    ],
  );
  await network.limit(one({ uplinkKbps: 0 }), signal);
  t.same(await network.told(signal), { downlinkKbps: 400, uplinkKbps: 0, networkDelayMs: 250 });
  t.match(guest.phone.settings.networkLimits, { downlinkKbps: 400, uplinkKbps: 0, networkDelayMs: 250 });
  await network.limit(one({ downlinkKbps: 0, networkDelayMs: 0 }), signal);
  t.same(emulator.commands.slice(-3), ['network status', 'network speed full', 'network delay none']);
  await network.clear();
  t.same(
    [emulator.speed, emulator.delayMs],
    [
      [14.4, 14.4],
      [80, 400],
    ],
  );
});

t.test('what a session has left is put back by the next one, and what it did not write is not', async (t) => {
  const { emulator, address } = await consoleOfTest(t);
  await askConsole(address(), ['network delay 900']);
  t.same(await new EmulatorNetwork(address()).begin(['$(id)', '1', '2', '3']), ['0', '0', '900', '900']);
  t.same(await new EmulatorNetwork(address()).begin(['384000', '14400', '0', '0']), ['384000', '14400', '0', '0']);
  t.same(
    [emulator.speed, emulator.delayMs],
    [
      [14.4, 384],
      [0, 0],
    ],
  );
});

t.test('a console that does not let this user in has no network to set', async (t) => {
  const { home, address } = await consoleOfTest(t);
  const { port, token } = address();
  t.match(token, /^[\w+/=]+$/);
  const unsupported = { kind: 'unsupported', message: /console/ };
  await t.rejects(askConsole({ port, token: 'another' }, ['network status']), unsupported);
  await t.rejects(new EmulatorNetwork({ port, token: undefined }).begin([]), unsupported);
  for (const text of ['two words', 'a\r\nkill', '']) {
    writeFileSync(join(home, '.emulator_console_auth_token'), text);
    t.equal(address().token, undefined, 'and no line of it becomes a command');
  }
  t.equal((await askConsole(address(), ['network status'])).length, 1, 'an empty token wants none');
});

t.test('a console that refuses, is silent, hangs up or is gone ends the command in a named fault', async (t) => {
  const { emulator, address } = await consoleOfTest(t);
  await t.rejects(askConsole(address(), ['network speed -1']), { kind: 'failed', message: /invalid <speed>/ });
  emulator.silent = true;
  const cut = new AbortController();
  const asked = askConsole(address(), ['network status'], { signal: cut.signal });
  cut.abort();
  await t.rejects(asked, { kind: 'aborted', message: /ended/ });
  const waiting = askConsole(address(), ['network status']);
  setTimeout(() => emulator.close(), 100);
  await t.rejects(waiting, { kind: 'unreachable', message: /hung up/ });
  await t.rejects(askConsole(address(), ['network status']), { kind: 'unreachable', message: /ECONNREFUSED/ });
  const begun = new EmulatorNetwork(address()).begin([]);
  await t.rejects(begun, { kind: 'unsupported', message: /ECONNREFUSED/ }, 'the rest of the emulator can be used');
});

t.test('a status that tells no numbers is nonsense', async (t) => {
  t.throws(() => parseStatus(['  download speed:   fast']), { kind: 'nonsense', message: /download speed/ });
});
