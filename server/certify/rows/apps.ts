import { NotSeen, type Subject } from '../subject.ts';
import { onCard, type Row } from './row.ts';

const GONE_MS = 1_500;

/** The identifier of the app in front. */
async function frontApp({ session, ground: { signal } }: Subject): Promise<string> {
  const { result } = await session.listApps({ signal });
  const front = result.apps.filter(({ state }) => state === 'front').map(({ app }) => app);
  const [app] = front;
  if (app === undefined || front.length > 1)
    throw new NotSeen(`the device lists ${front.length} apps as being in front`);
  return app;
}

export const APP_ROWS: readonly Row[] = [
  {
    id: 'apps',
    title: 'The app in front is listed, ends, and is launched again',
    needs: onCard(({ actions }) => ['listApps', 'launchApp', 'terminateApp'].every((name) => actions.includes(name))),
    async prove(subject) {
      const app = await frontApp(subject);
      await subject.do({ action: 'terminateApp', app });
      await subject.until(`the end of ${app} takes the card away`, GONE_MS, (_picture, card) => {
        return card?.readings.nonce !== subject.nonce;
      });
      await subject.changes(`the launch of ${app}`, () => subject.do({ action: 'launchApp', app }));
      const again = await frontApp(subject);
      if (again !== app) throw new NotSeen(`${again} is in front, and not ${app}`);
      return `${app} was listed in front, ended, and was launched again`;
    },
  },
];
