import type { LogPage } from '@runcloud/protocol';
import { systemClock } from '../../server/flow/clock.ts';
import { poll } from '../../server/flow/poll.ts';
import { ControlClient } from '../support/control-client.ts';
import { conform } from './conform.ts';
import type { Subject } from './subject.ts';

const TELLS = { everyMs: 50, forMs: 5_000 } as const;

async function read({ stage: { server, session } }: Subject, query: string) {
  const answer = await server.rest.fetch(`/service/${session.platform}/${session.id}/logs${query}`);
  return { status: answer.status, body: (await answer.json()) as LogPage & { error?: { code: string } } };
}

conform([
  {
    title: 'the log tells what the device did since the last read, in order and once',
    needs: ({ logs, actions }) => logs === true && actions.includes('launchApp'),
    async prove(t, subject) {
      let after = 0;
      for (let more = true; more; ) ({ next: after, more } = (await read(subject, `?after=${after}`)).body);
      await subject.do({ action: 'launchApp', app: subject.stage.driver.appId?.('photos') ?? 'photos' });
      // A device may tell of it a moment later.
      const told = () => read(subject, `?after=${after}`);
      const { status, body } = await poll(systemClock, TELLS, told, ({ body: { entries } }) =>
        entries.some(({ text }) => text.includes('photos')),
      );
      t.equal(status, 200);
      t.match(body.entries.map(({ text }) => text).join('\n'), /photos/);
      t.same(
        body.entries.map(({ seq }) => seq),
        body.entries.map((_, index) => after + 1 + index),
      );
      t.notOk(body.lost);
      const later = (await read(subject, `?after=${body.next}`)).body;
      t.same(
        later.entries.map(({ seq }) => seq),
        later.entries.map((_, index) => body.next + 1 + index),
      );
    },
  },
  {
    title: 'a crash of an app is told at once, and its report stands in the log',
    needs: ({ logs }) => logs === true,
    async prove(t, subject) {
      const { driver, server, session } = subject.stage;
      if (!driver.tellsCrashes) return void t.pass('its devices do not tell');
      const socket = await ControlClient.connect(server.url, session, server.rest.authorization);
      const app = driver.appId?.('touch-lab') ?? 'touch-lab';
      const reason = 'no "money"; $(left)';
      await subject.do({ action: 'launchApp', app, arguments: { crash: reason } });
      const told = await socket.next('event', ({ event }) => event === 'crash');
      t.match(told, { type: 'event', event: 'crash', process: app });
      const seq = told.event === 'crash' ? told.seq : 0;
      const { body } = await read(subject, `?after=${seq - 1}&limit=1`);
      t.match(body.entries, [{ seq, level: 'fatal', process: app, crashReport: String }]);
      const [{ text = '', crashReport = '' } = {}] = body.entries;
      t.not(text, '');
      // Some write it in JSON.
      t.ok(crashReport.includes(reason) || crashReport.includes(JSON.stringify(reason)));
      t.not((await subject.inspect()).foreground, 'touch-lab', 'it has ended');
      await socket.close();
    },
  },
  {
    title: 'a query that asks for nothing there is says which field is wrong',
    needs: ({ logs }) => logs === true,
    async prove(t, subject) {
      for (const [query, field] of [
        ['level=loud', /level/],
        ['after=-1', /after/],
        ['limit=0', /limit/],
        ['limit=1001', /limit/],
        ['process=', /process/],
        ['pid=1', /pid/],
      ] as const) {
        t.match(await read(subject, `?${query}`), { status: 400, body: { error: { message: field } } }, query);
      }
    },
  },
  {
    title: 'a device whose log cannot be read says so',
    needs: ({ logs }) => logs !== true,
    async prove(t, subject) {
      t.match(await read(subject, ''), { status: 422, body: { error: { code: 'unsupported_action' } } });
    },
  },
]);
