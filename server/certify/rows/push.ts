import { NotSeen, type Subject } from '../subject.ts';
import { findNode } from './find-node.ts';
import type { Row } from './row.ts';
import { withSample } from './sample-app.ts';

/** A banner slides in, and goes again by itself. */
const LOOKS = 5;

async function isShown(subject: Subject, title: string): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    if (await findNode(subject, ({ name, value }) => [name, value].some((text) => text?.includes(title)))) return true;
  }
  return false;
}

async function provePush(subject: Subject, app: string): Promise<string> {
  const { session, ground, nonce } = subject;
  const { signal } = ground;
  const title = `Order ${nonce}`;
  const { result } = await session.sendPush(app, { aps: { alert: { title, body: 'It is on its way' } } }, { signal });
  const seen = await isShown(subject, title);
  // Simulators tell nothing, and show nothing of an app that has not asked whether it may notify.
  if (!result.readBack) return `the device took it, and tells nothing; ${seen ? 'it showed it' : 'nothing was shown'}`;
  if (!result.shown) throw new NotSeen('the device says that it does not show the notification');
  if (!seen) throw new NotSeen(`the notification, of which the device says that it shows it: "${title}"`);
  return `"${title}" was shown`;
}

export const PUSH_ROWS: readonly Row[] = [
  {
    id: 'push',
    title: 'A push notification comes to an app',
    needs: ({ actions }) => ['sendPush', 'installApp', 'uninstallApp'].every((name) => actions.includes(name)),
    prove: (subject) => withSample(subject, (app) => provePush(subject, app)),
  },
];
