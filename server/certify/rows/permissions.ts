import { readFile } from 'node:fs/promises';
import { RunCloudError, type UiNode } from '../../../client/sdk/index.ts';
import { NotSeen, type Subject } from '../subject.ts';
import { NotOffered, type Row } from './row.ts';

const SAMPLES = { ios: 'sample.ipa', android: 'sample.apk' } as const;
const PERMISSION = 'location';
/** Where the app of the sample shows what it may do: on a virtual phone, which gives it a page. */
const SHOWN_ID = `app.permission.${PERMISSION}`;
const STEPS = [
  ['grant', 'granted'],
  ['revoke', 'denied'],
  ['reset', 'undecided'],
] as const;

/** Installs the sample app, and hands its identifier to `use`; removes it then. */
async function withSample(subject: Subject, use: (app: string) => Promise<string>): Promise<string> {
  const { session, ground } = subject;
  const { cloud, platform, signal } = ground;
  const file = await readFile(new URL(`../../sample/${SAMPLES[platform]}`, import.meta.url));
  const { id } = await cloud.assets.upload(file, { signal });
  subject.atEnd(() => cloud.assets.delete(id));
  const app = await installed(subject, id);
  try {
    return await use(app);
  } finally {
    await session.uninstallApp(app);
  }
}

async function installed({ session, ground: { signal } }: Subject, asset: string): Promise<string> {
  try {
    return (await session.installApp(asset, { signal })).result.app;
  } catch (error) {
    // It has an icon and a name, and no program, which some systems do not take.
    if (error instanceof RunCloudError && error.code === 'interaction_failed') throw new NotOffered(error.message);
    throw error;
  }
}

function shownIn(nodes: readonly UiNode[]): string | undefined {
  for (const node of nodes) {
    const found = node.id === SHOWN_ID ? node.value : shownIn(node.children ?? []);
    if (found !== undefined) return found;
  }
  return undefined;
}

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
    const shown = shownIn((await session.ui({ signal })).nodes) ?? 'undecided';
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
