import { NotSeen, type Subject } from '../subject.ts';
import { findNode } from './find-node.ts';
import type { Row } from './row.ts';
import { withSample } from './sample-app.ts';

const PERMISSION = 'location';
/** Where the app of the sample shows what it may do: on a virtual phone, which gives it a page. */
const SHOWN_ID = `app.permission.${PERMISSION}`;
const STEPS = [
  ['grant', 'granted'],
  ['revoke', 'denied'],
  ['reset', 'undecided'],
] as const;

async function provePermissions(subject: Subject, app: string): Promise<string> {
  const { session, ground } = subject;
  const { signal } = ground;
  const isShown = session.record.device.driver === 'virtual';
  if (isShown) await session.launchApp(app, { signal });
  let isTold = true;
  for (const [access, state] of STEPS) {
    const { result } = await session.setPermission(app, PERMISSION, access, { signal });
    if (result.readBack && result.state !== state) {
      throw new NotSeen(`after ${access} the device says that ${PERMISSION} is ${result.state}, and not ${state}`);
    }
    isTold &&= result.readBack;
    if (!isShown) continue;
    const shown = (await findNode(subject, ({ id }) => id === SHOWN_ID))?.value ?? 'undecided';
    if (shown !== state) throw new NotSeen(`after ${access} the app shows ${shown}, and not ${state}`);
  }
  const who = isShown
    ? 'its app showed each'
    : isTold
      ? 'the device told each'
      : 'the device took each, and tells nothing';
  return `${STEPS.map(([, state]) => state).join(', ')}: ${who}`;
}

export const PERMISSION_ROWS: readonly Row[] = [
  {
    id: 'permissions',
    title: 'A permission of an app is granted, revoked and reset',
    needs: ({ actions }) => {
      return ['setPermission', 'installApp', 'uninstallApp', 'launchApp'].every((name) => actions.includes(name));
    },
    prove: (subject) => withSample(subject, (app) => provePermissions(subject, app)),
  },
];
