import t from 'tap';
import { failureSentence, readSimctlFailure } from '../../../server/drivers/ios/simctl-failure.ts';

const text = (domain: string, code: number, line: string) =>
  `An error was encountered processing the command (domain=${domain}, code=${code}):\n${line}\n`;

t.test('exit codes and texts of simctl are told apart', async (t) => {
  const booted = text('com.apple.CoreSimulator.SimError', 405, 'Unable to boot device in current state: Booted');
  t.same(readSimctlFailure(149, booted), { kind: 'wrongState', state: 'Booted' });
  t.same(readSimctlFailure(149, ''), { kind: 'wrongState', state: undefined });
  const off = text('com.apple.CoreSimulator.SimError', 405, 'Unable to lookup in current state: Shutdown');
  t.same(readSimctlFailure(1, off), { kind: 'wrongState', state: 'Shutdown' });
  t.same(
    readSimctlFailure(115, text('LSApplicationWorkspaceErrorDomain', 115, 'Simulator device failed to open x:y.')),
    {
      kind: 'noHandler',
    },
  );
  t.same(readSimctlFailure(1, text('NSOSStatusErrorDomain', -10814, 'failed to open')), { kind: 'noHandler' });
  t.same(readSimctlFailure(1, text('FBSOpenApplicationServiceErrorDomain', 1, 'denied')), { kind: 'refused' });
  t.same(readSimctlFailure(4, text('FBSOpenApplicationServiceErrorDomain', 4, 'no app')), { kind: 'missing' });
  t.same(readSimctlFailure(148, 'Invalid device: X'), { kind: 'missing' });
  t.same(readSimctlFailure(64, 'Usage: simctl'), { kind: 'other' });
  t.same(readSimctlFailure(1, text('FBSOpenApplicationServiceErrorDomain', 10, 'x')), { kind: 'other' });
});

t.test('a sentence for a caller is one printable line without paths', async (t) => {
  const found = failureSentence(
    text('X', 1, 'Could not read \u001b[31m/Users/alice/Library/Developer/x.plist or ~/secret\u0007 for "it"'),
  );
  t.equal(found, 'Could not read [31ma file or a file for "it"');
  t.equal(failureSentence(''), 'no reason was given');
  t.equal(failureSentence('x'.repeat(100_000)).length, 200);
});
