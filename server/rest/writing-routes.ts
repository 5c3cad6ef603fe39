import { ROUTES, type RouteName } from '@runcloud/protocol';
import type { Running } from '../flow/storage-errors.ts';

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
/** These end or take something that waits for no database, and see to their writes themselves. */
const RUN_AT_ONCE: readonly RouteName[] = ['deleteSession', 'uploadAsset', 'deleteAsset'];

/** How the handler of a route runs that changes what is kept; `undefined` for the others. */
export function writingOf(name: RouteName): Running | undefined {
  if (ROUTES[name].method === 'GET' || LEFT_ALONE.includes(name)) return undefined;
  return RUN_AT_ONCE.includes(name) ? 'at once' : 'again';
}
