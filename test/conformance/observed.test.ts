import type { Observed } from '@runcloud/protocol';
import { until } from '../support/until.ts';
import { conformOnStages } from './conform.ts';
import { Subject } from './subject.ts';
import { TRANSPORTS } from './transport.ts';

conformOnStages([
  {
    title: 'an input that changes the screen is told from a dead one, and a screen that moves makes none look alive',
    async prove(t, stage) {
      const { server, session, driver } = stage;
      const [kind] = TRANSPORTS;
      if (!kind) throw new Error('there is no transport');
      const subject = await Subject.open(stage, kind);
      const observe = async (action: object): Promise<Observed | undefined> => {
        const { body } = await server.rest.interact(session, { ...action, observe: true });
        t.equal(body.status, 'completed', JSON.stringify(body));
        return body.observed;
      };
      // A busy machine may have no picture in time, and says so: then the whole of it is done again.
      const seen = async (prepare: () => Promise<unknown>, action: object): Promise<Observed | undefined> => {
        let observed: Observed | undefined;
        await until(async () => {
          await prepare();
          observed = await observe(action);
          return !(observed && 'unknown' in observed && observed.unknown === 'not_seen');
        }, 'pictures come in time');
        return observed;
      };
      const stillAfter = (act: () => Promise<void>) => () => act().then(() => subject.stillPicture());
      const nothing = async () => undefined;
      const opened = await seen(
        stillAfter(() => subject.goHome()),
        { action: 'tap', ...driver.icon(session, 'settings') },
      );
      t.match(opened, { changed: true, area: { width: Number, height: Number }, firstPictureMs: Number });
      t.equal(
        (await subject.until('it is open', ({ foreground }) => foreground === 'settings')).foreground,
        'settings',
      );
      t.strictSame(await seen(stillAfter(nothing), { action: 'tap', x: 0.99, y: 0.5 }), { changed: false });
      const home = await seen(
        stillAfter(() => subject.open('settings')),
        { action: 'pressButton', button: 'home' },
      );
      t.match(home, { changed: true });
      await subject.open('motion');
      const moving = await seen(nothing, { action: 'tap', x: 0.5, y: 0.9 });
      t.strictSame(moving, { unknown: 'moves_by_itself' });
      await subject.transport.close();
    },
  },
]);
