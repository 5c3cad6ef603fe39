/**
 * The helper by which the tests of snapshots keep simulators. Another one is proved in the same way by `npm run prove`: what differs
 * between helpers is in every run.
 */
export const HELPER = process.env.KEPT_BY === 'idb_companion' ? 'idb_companion' : 'serve-sim';
