import type { HostList } from '@runcloud/protocol';
import t from 'tap';
import { withoutNats } from '../support/nats-server.ts';
import { withoutPostgres } from '../support/postgres.ts';
import { RestClient } from '../support/rest-client.ts';
import { Program } from '../support/server-process.ts';
import { until } from '../support/until.ts';

t.test(
  'npm run fleet starts a fleet, and what is killed again; Ctrl-C leaves nothing',
  { skip: withoutNats() },
  async (t) => {
    const program = new Program('fleet', [], { RUNCLOUD_PORT: '0' });
    t.teardown(async () => {
      if (program.running) program.signal('SIGINT');
      await program.ended;
    });
    const ownUrl = await program.ready();
    const [, key = ''] = /export RUNCLOUD_API_KEY=(\S+)/.exec(program.stderr) ?? [];
    await until(() => /Ctrl-C ends/.test(program.stderr), 'everything is started');
    // Without PostgreSQL there is one edge, and its own address.
    const [, url = ownUrl] = /address of both edges: (\S+)/.exec(program.stderr) ?? [];
    t.equal(url === ownUrl, withoutPostgres() !== false);
    const rest = new RestClient(url, key);
    const hosts = async () => (await rest.call<HostList>('GET', '/service/hosts')).body.hosts;
    await until(async () => (await hosts()).length === 2, 'both hosts are there');
    const session = await rest.createSession('android');
    t.match(await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
    const pidOf = (name: string) => Number(new RegExp(`^  ${name} +pid (\\d+)`, 'm').exec(program.stderr)?.[1]);
    if (url !== ownUrl) {
      await until(async () => (await rest.call('GET', '/service/account')).status === 200, 'the first edge serves');
      const isServed = () =>
        fetch(`${url}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(isServed, 'so does the second');
      process.kill(pidOf('edge-1'), 'SIGKILL');
      // A process that is being ended still takes connections for a moment, and those it had are not noticed to have ended at once.
      await until(async () => {
        for (let taps = 0; taps < 10; taps++) {
          const answer = await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }).catch(() => undefined);
          if (answer === undefined) return false;
          t.match(answer, { status: 200 });
        }
        return true;
      }, 'the other edge answers ten taps in turn');
    }
    const [nats, host] = [pidOf('NATS server'), pidOf('host-2')];
    t.ok(nats > 0 && host > 0);
    process.kill(host, 'SIGKILL');
    await until(() => (program.stderr.match(/^ {2}host-2 +pid/gm) ?? []).length === 2, 'the host is started again');
    await until(async () => (await hosts()).every(({ state }) => state === 'here'), 'it is back');
    program.signal('SIGINT');
    t.match(await program.ended, { code: 0 });
    t.throws(() => process.kill(nats, 0), 'the NATS server has ended');
  },
);
