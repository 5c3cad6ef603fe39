/** What holds of snapshots and of turned recordings in every run, by the helpers and layouts that are not in every run. */
process.env.KEPT_BY = 'idb_companion';
process.env.TURNED = 'others';

for (const file of ['drivers/ios/simulator-keeping', 'integration/ios-snapshots', 'browser/turned-recording']) {
  await import(new URL(`../${file}.test.ts`, import.meta.url).href);
}
