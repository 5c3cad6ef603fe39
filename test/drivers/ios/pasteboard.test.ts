import t from 'tap';
import { Simctl } from '../../../server/drivers/ios/simctl.ts';
import { runTool } from '../../../server/drivers/process/run-tool.ts';
import { StandInMac } from '../../support/ios/stand-in-mac.ts';

const mac = await StandInMac.start();
t.teardown(() => mac.close());
const simulator = mac.add('Guest', 'Booted');
const xcrun = `${mac.tools.PATH}/xcrun`;
const simctl = new Simctl(xcrun, mac.tools);
const { signal } = new AbortController();
const TEXT = 'Grüße 你好 😀\r\n\ufeff\0$(id)\n';

t.test('a text of any language is copied and read as UTF-8, whatever the locale of the service', async (t) => {
  const run = (args: readonly string[], input: string) =>
    runTool(xcrun, ['simctl', ...args, simulator.udid], { tools: mac.tools, timeoutMs: 20_000, input });
  await run(['pbcopy'], TEXT);
  t.not(simulator.guest.pasteboard, TEXT, 'without a locale the commands have another encoding');
  for (const locale of [{}, { LANG: 'C' }, { LANG: 'de_DE.ISO8859-1', LC_CTYPE: 'C' }]) {
    const inLocale = new Simctl(xcrun, { ...mac.tools, ...locale });
    await inLocale.copy(simulator.udid, TEXT, signal);
    t.equal(simulator.guest.pasteboard, TEXT);
    simulator.guest.pasteboard = `${TEXT} copied by an app`;
    t.equal(await inLocale.copied(simulator.udid, signal), `${TEXT} copied by an app`);
  }
  t.not((await run(['pbpaste'], '')).stdout.toString(), simulator.guest.pasteboard);
  t.notOk(
    mac.calls.some((call) => call.some((word) => word.includes('Gr'))),
    'the text is no argument',
  );
});

t.test('an empty pasteboard is an empty text', async (t) => {
  await simctl.copy(simulator.udid, '', signal);
  t.equal(await simctl.copied(simulator.udid, signal), '');
});

t.test('what the command refuses, says too much of, or does not answer is a fault', async (t) => {
  t.teardown(() => {
    mac.override = () => undefined;
  });
  mac.override = () => ({ exitCode: 1, stderr: 'pbpaste: the pasteboard service is gone\n' });
  const refused = { name: 'DeviceFault', kind: 'failed', message: /the pasteboard service is gone/ };
  await t.rejects(simctl.copied(simulator.udid, signal), refused);
  await t.rejects(simctl.copy(simulator.udid, 'x', signal), refused);
  mac.override = () => ({ stdout: Buffer.alloc(5_000_000, 'a') });
  await t.rejects(simctl.copied(simulator.udid, signal), { name: 'DeviceFault', kind: 'nonsense' });
  mac.override = () => 'hang';
  await t.rejects(simctl.copied(simulator.udid, AbortSignal.timeout(300)), { name: 'DeviceFault', kind: 'aborted' });
});
