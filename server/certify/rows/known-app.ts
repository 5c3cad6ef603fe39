import type { Subject } from '../subject.ts';
import { NotOffered } from './row.ts';

/** The last words of their identifiers, on systems of any maker. */
const KNOWN = {
  settings: /(?:^|\.)(?:settings|preferences)$/i,
  photos: /(?:^|\.)(?:photos|mobileslideshow|gallery)$/i,
};

/** Brings an app to the front that came with the device; resolves with its identifier. */
export async function launchKnown(
  { session, ground: { signal } }: Subject,
  which: keyof typeof KNOWN,
): Promise<string> {
  const { apps } = (await session.listApps({ signal })).result;
  const found = apps.find(({ app, kind }) => kind === 'system' && KNOWN[which].test(app));
  if (!found) throw new NotOffered(`the device lists no app of its own for its ${which}`);
  await session.launchApp(found.app, { signal });
  return found.app;
}
