import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import type { LogLine } from '../../../server/device/logs.ts';
import { Simctl } from '../../../server/drivers/ios/simctl.ts';
import { simulatorLogs } from '../../../server/drivers/ios/simulator-logs.ts';
import type { Udid } from '../../../server/drivers/ios/udid.ts';
import { runningChildren } from '../../../server/drivers/process/children.ts';
import { StandInMac } from '../../support/ios/stand-in-mac.ts';

const TRIES_MAX = 400;

async function until(what: () => unknown): Promise<void> {
  for (let tries = 0; !what(); tries++) {
    if (tries === TRIES_MAX) throw new Error(`not in time: ${what}`);
    await sleep(25);
  }
}

async function follow(
  t: { teardown(work: () => Promise<void>): unknown },
  prepare: (mac: StandInMac) => void = () => {},
) {
  const mac = await StandInMac.start();
  t.teardown(() => mac.close());
  prepare(mac);
  const simulator = mac.add('Stand-In', 'Booted');
  const simctl = new Simctl(`${mac.tools.PATH}/xcrun`, mac.tools);
  const ending = new AbortController();
  const lines: LogLine[] = [];
  await simulatorLogs(simctl, simulator.udid as Udid, mac.tools, ending.signal).follow((line) => lines.push(line));
  return { mac, lines, log: simulator.guest.log, ending };
}

t.test('everything that the simulator logs after the begin is told, until the end', async (t) => {
  const { log, lines, ending } = await follow(t);
  const shop = { image: '/nowhere/Shop.app/Shop', pid: 99 };
  log.write({ ...shop, text: 'ü "x"\n\tsecond \u0007', type: 'Fault', atMs: 1_764_362_400_123 });
  log.write({ ...shop, text: 'for debugging', type: 'Debug' });
  log.write({ ...shop, text: 'x'.repeat(32_768), type: 'Info' });
  const told = () => lines.filter(({ process }) => process === 'Shop');
  await until(() => told().length === 2);
  t.same(told()[0], {
    ...{ wallMs: 1_764_362_400_123, level: 'fatal', process: 'Shop', pid: 99 },
    text: 'ü "x"\n\tsecond \u0007',
  });
  t.equal(told()[1]?.text.length, 32_768);

  log.restart();
  t.equal(log.readers, 0);
  await until(() => log.readers === 1);
  log.write({ ...shop, text: 'again' });
  await until(() => told().length === 3);
  ending.abort();
  await until(() => log.readers === 0 && runningChildren() === 0);
  await sleep(500);
  t.equal(log.readers, 0, 'it does not begin again');
});

t.test('a simulator that does not tell its log says why, once', async (t) => {
  let calls = 0;
  const { lines, ending } = await follow(t, (mac) => {
    mac.override = (args) => {
      if (!args.includes('stream')) return undefined;
      calls++;
      return { exitCode: 64, stderr: 'log: invalid style\n' };
    };
  });
  await until(() => calls > 2);
  ending.abort();
  t.match(lines, [{ level: 'warning', process: 'log', text: /exit code 64.*invalid style/ }]);
  t.equal(lines.length, 1);
});
