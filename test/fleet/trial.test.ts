import type { HostList } from '@runcloud/protocol';
import t from 'tap';
import { withoutNats } from '../support/nats-server.ts';
import { RestClient } from '../support/rest-client.ts';
import { Program } from '../support/server-process.ts';
import { until } from '../support/until.ts';

t.test(
  'npm run fleet starts a fleet, and what is killed again; Ctrl-C leaves nothing',
  { skip: withoutNats() },
  async (t) => {
    const program = new Program('fleet', [], { RUNCLOUD_PORT: '0' });
    const url = await program.ready();
    const [, key = ''] = /export RUNCLOUD_API_KEY=(\S+)/.exec(program.stderr) ?? [];
    const rest = new RestClient(url, key);
    const hosts = async () => (await rest.call<HostList>('GET', '/service/hosts')).body.hosts;
    await until(async () => (await hosts()).length === 2, 'both hosts are there');
    const session = await rest.createSession('android');
    t.match(await rest.interact(session, { action: 'tap', x: 0.5, y: 0.5 }), { status: 200 });
    const pidOf = (name: string) => Number(new RegExp(`^  ${name} +pid (\\d+)`, 'm').exec(program.stderr)?.[1]);
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
