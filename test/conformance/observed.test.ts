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
      await subject.goHome();
      await subject.stillPicture();
      const opened = await observe({ action: 'tap', ...driver.icon(session, 'settings') });
      t.match(opened, { changed: true, area: { width: Number, height: Number }, firstPictureMs: Number });
      t.equal(
        (await subject.until('it is open', ({ foreground }) => foreground === 'settings')).foreground,
        'settings',
      );
      await subject.stillPicture();
      t.strictSame(await observe({ action: 'tap', x: 0.99, y: 0.5 }), { changed: false });
      t.match(await observe({ action: 'pressButton', button: 'home' }), { changed: true });
      await subject.open('motion');
      // A busy machine may have no picture in time, which is said as well: never that the tap has changed it.
      const moving = async () => {
        const seen = await observe({ action: 'tap', x: 0.5, y: 0.9 });
        if (seen && 'unknown' in seen && seen.unknown === 'not_seen') return false;
        t.strictSame(seen, { unknown: 'moves_by_itself' });
        return true;
      };
      await until(moving, 'pictures of what moves came in time');
      await subject.transport.close();
    },
  },
]);
