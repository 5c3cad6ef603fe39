import t, { type Test } from 'tap';
import { readSettings } from '../../server/settings.ts';
import { RUNTIME, TYPE_NAMES } from '../support/ios/simulator-shelf.ts';
import { StandInMac } from '../support/ios/stand-in-mac.ts';
import { ScriptStage } from '../support/script-stage.ts';

const [TYPE = ''] = TYPE_NAMES;

async function stageOnMac(t: Test) {
  const mac = await StandInMac.start({ helpers: [] });
  const stage = new ScriptStage({ PATH: `${mac.tools.PATH}:/usr/bin:/bin` });
  t.teardown(async () => {
    stage.remove();
    await mac.close();
  });
  return { mac, stage, run: (more = {}) => stage.run('create-simulator.sh', [TYPE], { BOOT_SECONDS: '240', ...more }) };
}

t.test(
  'a simulator gets the newest runtime of the SDK, is booted once and shut down, and the settings take it',
  async (t) => {
    const { mac, stage, run } = await stageOnMac(t);
    t.match(await run(), { code: 0, stderr: /^$/ });
    const udid = mac.simulators[0]?.udid ?? '';
    t.same(mac.calls.slice(2), [
      ['xcrun', 'simctl', 'create', `Certified ${TYPE}`, TYPE, RUNTIME],
      ['xcrun', 'simctl', 'boot', udid],
      ['xcrun', 'simctl', 'bootstatus', udid],
      ['xcrun', 'simctl', 'shutdown', udid],
    ]);
    t.match(mac.simulators, [{ state: 'Shutdown' }], 'only what is off can be copied');
    t.match(readSettings({ RUNCLOUD_DEVICES: stage.handedOn.entry }).devices, [
      { driver: 'ios-simulator', which: udid },
    ]);
  },
);

t.test('the newest runtime is the one with the greatest number', async (t) => {
  const { mac, run } = await stageOnMac(t);
  const runtimes = ['26.2', '26.10', '26.9'].map((version) => {
    return `iOS ${version} (${version} - 1A1) - com.apple.CoreSimulator.SimRuntime.iOS-${version.replace('.', '-')}\n`;
  });
  mac.override = (args) => (args[2] === 'runtimes' ? { stdout: `== Runtimes ==\n${runtimes.join('')}` } : undefined);
  t.match(await run(), { code: 0 });
  t.equal(mac.calls[2]?.at(-1), 'com.apple.CoreSimulator.SimRuntime.iOS-26-10');
});

const FAILED = { exitCode: 1, stderr: 'An error was encountered\n' };
const FAULTS = [
  ['--sdk', FAILED, 'The selected Xcode has no SDK for simulators'],
  ['runtimes', { stdout: '== Runtimes ==\n' }, "No runtime of iOS 26 is installed, which is the SDK's"],
  ['create', FAILED, `simctl could not make an ${TYPE} with ${RUNTIME}`],
  ['boot', FAILED, `The ${TYPE} could not be booted`],
  ['bootstatus', FAILED, `The ${TYPE} did not boot`],
  ['bootstatus', 'hang', `The ${TYPE} did not boot within 1 seconds`],
  ['shutdown', FAILED, `The ${TYPE} could not be shut down`],
] as const;

for (const [command, answer, message] of FAULTS) {
  t.test(`a fault says what is wrong, and nothing is handed on: ${message}`, async (t) => {
    const { mac, stage, run } = await stageOnMac(t);
    mac.override = (args) => (args.slice(0, 3).includes(command) ? answer : undefined);
    const { code, stderr } = await run(answer === 'hang' ? { BOOT_SECONDS: '1' } : {});
    t.equal(code, 1);
    t.match(stderr, `::error::${message}\n`);
    t.same(stage.handedOn, {});
  });
}
