import t from 'tap';
import { biometricHandlers } from '../../../server/drivers/ios/simulator-biometric.ts';
import type { Udid } from '../../../server/drivers/ios/udid.ts';

const ENROLLED = 'com.apple.BiometricKit.enrollmentChanged';

/** The handler in front of a guest that tells this of its enrolment. */
function handlerOf(told: string) {
  const words: string[] = [];
  const notify = async (_udid: Udid, given: readonly string[]) => {
    words.push(given.join(' '));
    return given[0] === '-g' ? told : '';
  };
  const handler = biometricHandlers({ notify }, '' as Udid).authenticateBiometric;
  if (!handler) throw new Error('there is no handler');
  const show = (match: boolean) =>
    handler({ match }, { signal: new AbortController().signal } as Parameters<typeof handler>[1]);
  return { show, words };
}

t.test('a face and a finger are enrolled, posted, and read back before they are shown', async (t) => {
  const { show, words } = handlerOf(`${ENROLLED} 1\n`);
  t.same(await show(false), { match: false, readBack: false });
  t.same(words, [
    `-s ${ENROLLED} 1`,
    `-p ${ENROLLED}`,
    `-g ${ENROLLED}`,
    '-p com.apple.BiometricKit_Sim.fingerTouch.nomatch',
    '-p com.apple.BiometricKit_Sim.pearl.nomatch',
  ]);
});

t.test('nothing is shown to a guest that does not say that it has enrolled one', async (t) => {
  for (const told of ['', `${ENROLLED} 0\n`, `${ENROLLED} 10\n`, 'no such key']) {
    const { show, words } = handlerOf(told);
    await t.rejects(async () => show(true), { kind: 'failed', message: /did not enroll/ });
    t.equal(words.length, 3);
  }
});
