import { ROUTES, type RouteName } from '@runcloud/protocol';

/**
 * These ask for no change of what is kept, though they are no GET; or, of recordings, act on a device first of all and see
 * to what is kept themselves.
 */
const LEFT_ALONE: readonly RouteName[] = [
  'interact',
  'cancelInteraction',
  'openUrl',
  'readInvitation',
  'startRecording',
  'stopRecording',
];
/** These have begun something by the time they write. */
const RUN_ONCE: readonly RouteName[] = ['uploadAsset'];

/**
 * Whether a route changes what is kept, and whether its handler can be run again after it found the database locked: it
 * then has had no effect. The others either see to that themselves or fail.
 */
export function writingOf(name: RouteName): 'again' | 'once' | undefined {
  if (ROUTES[name].method === 'GET' || LEFT_ALONE.includes(name)) return undefined;
  return RUN_ONCE.includes(name) ? 'once' : 'again';
}
