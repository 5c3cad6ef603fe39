import t from 'tap';
import {
  displayDensity,
  displayRotation,
  displaySize,
  foregroundPackage,
  installFailure,
  isPackageName,
  listedPackages,
  queriedComponents,
  resolvedComponent,
  startOutcome,
} from '../../../../server/drivers/android/guest/texts.ts';

const STARTING = 'Starting: Intent { act=android.intent.action.VIEW dat=https://a/ }\n';

t.test('a start is known by its words, in old releases and new ones', async (t) => {
  const block = 'Status: ok\nLaunchState: COLD\nActivity: com.a/.Main\nTotalTime: 1\nWaitTime: 2\nComplete\n';
  t.same(startOutcome(STARTING + block), { kind: 'started', handler: 'com.a' });
  const old = 'Status: ok\nActivity: com.a.b/com.a.b.Main\nThisTime: 5\nTotalTime: 5\nComplete\n';
  t.same(startOutcome(STARTING + old), { kind: 'started', handler: 'com.a.b' });
  const front = 'Warning: Activity not started, its current task has been brought to the front\n';
  t.same(startOutcome(STARTING + front), { kind: 'started', handler: undefined });
  const delivered =
    'Warning: Activity not started, intent has been delivered to currently running top-most instance.\n';
  t.same(startOutcome(STARTING + delivered + block), { kind: 'started', handler: 'com.a' });
});

t.test('a URL that the device repeats is no line of its own, whatever separates lines elsewhere', async (t) => {
  for (const separator of ['\u2028', '\u2029', '\u0085', '\u00a0']) {
    for (const forged of ['Activity:com.evil/.Main', 'Status:timeout', 'Error:x', 'java.x', 'Warning:x']) {
      const starting = `Starting: Intent { act=x dat=demo:${separator}${forged}${separator} }\n`;
      const block = 'Status: ok\nActivity: com.a/.Main\nComplete\n';
      t.same(startOutcome(starting + block), { kind: 'started', handler: 'com.a' }, forged);
      t.equal(startOutcome(starting).kind, 'refused', 'nothing says that it was started');
    }
  }
  t.match(installFailure('Failure [x\u2028Success]\n'), /^x/);
});

t.test('a URL that nothing takes is known by its words, whatever the exit code', async (t) => {
  const text = 'Error: Activity not started, unable to resolve Intent { act=android.intent.action.VIEW }\n';
  t.same(startOutcome(STARTING + text), { kind: 'unresolved' });
  t.same(startOutcome(text.toUpperCase()), { kind: 'unresolved' });
});

t.test('every other refusal is one', async (t) => {
  for (const text of [
    'Error type 3\nError: Activity class {com.a/com.a.B} does not exist.\n',
    'Security exception: Permission Denial: starting Intent\njava.lang.SecurityException: x\n',
    'Exception occurred while executing: x',
    'java.lang.IllegalStateException: x',
    `${STARTING}Status: timeout\nActivity: com.a/.Main\nComplete\n`,
    STARTING,
    '',
    'cmd: not found',
  ]) {
    t.equal(startOutcome(text).kind, 'refused', JSON.stringify(text));
  }
});

t.test('the app in front is found in dumps of several releases', async (t) => {
  t.equal(foregroundPackage('  mFocusedApp=ActivityRecord{4d5 u0 com.a.b/.Main t12}\n'), 'com.a.b');
  t.equal(foregroundPackage('  mFocusedApp=Token{4d5 ActivityRecord{4d5 u10 com.a/com.a.Main t7}}\n'), 'com.a');
  t.equal(foregroundPackage('mCurrentFocus=Window{1a2 u0 com.c/com.c.Main}\n'), 'com.c');
  t.equal(foregroundPackage('mCurrentFocus=null\nmFocusedApp=null\n'), undefined);
  t.equal(foregroundPackage('mFocusedApp=ActivityRecord{4 u0 ..;id/.Main t1}'), undefined);
  t.equal(foregroundPackage(''), undefined);
  const hostile = `mFocusedApp=${'{'.repeat(100_000)} u0 `.repeat(5);
  t.equal(foregroundPackage(hostile), undefined, 'also of a text that is made to take long');
});

t.test('package names are letters, digits, dots and underscores, and nothing else is one', async (t) => {
  for (const good of ['com.a', 'a', 'com.a_b.C1', `a.${'b'.repeat(253)}`]) t.ok(isPackageName(good), good);
  for (const bad of [
    '',
    '.a',
    'a.',
    'a..b',
    '1a',
    'a-b',
    'a b',
    'a;b',
    '$(a)',
    'a\n',
    '-a',
    'ä',
    `a${'b'.repeat(255)}`,
  ]) {
    t.notOk(isPackageName(bad), JSON.stringify(bad));
  }
});

t.test('lists hold what is well-formed and pass over the rest', async (t) => {
  t.same(listedPackages('package:com.a\npackage:com.b\r\nWARNING: x\npackage:;reboot\n\npackage:'), ['com.a', 'com.b']);
  const listing =
    '2 activities found:\n  Activity #0:\n    priority=0\n    com.a/.Main\n  Activity #1:\n    com.b/com.b.X$Y\n';
  t.same(queriedComponents(listing), ['com.a/.Main', 'com.b/com.b.X$Y']);
  t.same(queriedComponents('No activities found\n'), []);
  t.equal(resolvedComponent('priority=0 match=0x1\ncom.a/.Main\n'), 'com.a/.Main');
  t.equal(resolvedComponent('No activity found\n'), undefined);
  t.equal(resolvedComponent('com.a/.Main; reboot'), undefined);
});

t.test('why an app was not installed is told, and success is no failure', async (t) => {
  t.equal(installFailure('Success\n'), undefined);
  t.equal(installFailure('Performing Streamed Install\nSuccess\n'), undefined);
  for (const code of [
    'INSTALL_FAILED_NO_MATCHING_ABIS: x',
    'INSTALL_FAILED_VERSION_DOWNGRADE',
    'INSTALL_PARSE_FAILED_NOT_APK',
  ]) {
    t.equal(installFailure(`Failure [${code}]\n`), code);
  }
  t.match(installFailure(''), /nothing/);
  t.match(installFailure('Error: java.lang.SecurityException\n'), /SecurityException/);
  t.match(installFailure('Unsuccessful\n'), /Unsuccessful/);
});

t.test('sizes, densities and rotations are read, overrides first', async (t) => {
  t.same(displaySize('Physical size: 1080x2400\n'), { width: 1_080, height: 2_400 });
  t.same(displaySize('Physical size: 1080x2400\nOverride size: 720x1600\n'), { width: 720, height: 1_600 });
  t.equal(displaySize('Physical size: x\n'), undefined);
  t.equal(displayDensity('Physical density: 420\nOverride density: 300\n'), 300);
  for (const [text, turns] of [
    ['mCurrentRotation=ROTATION_90', 1],
    ['mDisplayRotation=ROTATION_180', 2],
    ['mRotation=3', 3],
    ['mCurrentRotation=0', 0],
  ] as const) {
    t.equal(displayRotation(text), turns);
  }
  t.equal(displayRotation('mRotation=45'), undefined);
});
