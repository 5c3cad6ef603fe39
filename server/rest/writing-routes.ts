import { ROUTES, type RouteName } from '@runcloud/protocol';

/** These ask for no change of what is kept, though they are no GET. */
const KEEP_NOTHING: readonly RouteName[] = ['interact', 'cancelInteraction', 'openUrl', 'readInvitation'];
/** These have begun something by the time they write. */
const RUN_ONCE: readonly RouteName[] = ['startRecording', 'stopRecording', 'uploadAsset'];

/**
 * Whether a route changes what is kept, and whether its handler can be run again after it found the database locked: it
 * then has had no effect. The others either see to that themselves or fail.
 */
export function writingOf(name: RouteName): 'again' | 'once' | undefined {
  if (ROUTES[name].method === 'GET' || KEEP_NOTHING.includes(name)) return undefined;
  return RUN_ONCE.includes(name) ? 'once' : 'again';
}
