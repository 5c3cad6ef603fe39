import { NotSeen, type Subject } from '../subject.ts';
import { findNode } from './find-node.ts';
import { launchKnown } from './known-app.ts';
import type { Row } from './row.ts';

/** What the settings of a virtual phone ask for a face or finger with, and what they say then. */
const ASKING = { id: 'settings.biometric' };
const SAID = { match: 'Recognised', mismatch: 'Not recognised' } as const;

const show = ({ session, ground: { signal } }: Subject, match: boolean) =>
  session.authenticateBiometric(match, { signal });

/** The phone asks in its settings, and says there what came of it. */
async function proveByWords(subject: Subject): Promise<string> {
  const { session, ground } = subject;
  const { signal } = ground;
  await launchKnown(subject, 'settings');
  await session.scrollTo(ASKING, { signal });
  for (const match of [false, true]) {
    await session.tapElement(ASKING, { signal });
    await show(subject, match);
    const expected = SAID[match ? 'match' : 'mismatch'];
    const said = (await findNode(subject, ({ id }) => id === ASKING.id))?.value;
    if (said !== expected) throw new NotSeen(`the device says "${said}", and not "${expected}"`);
  }
  return `"${SAID.mismatch}" for another one, and "${SAID.match}" for the one that it knows`;
}

export const BIOMETRIC_ROWS: readonly Row[] = [
  {
    id: 'biometric',
    title: 'A face or finger is known, and another one is not',
    needs: ({ actions }) => actions.includes('authenticateBiometric'),
    async prove(subject) {
      if (subject.session.record.device.driver === 'virtual') return proveByWords(subject);
      for (const match of [false, true]) await show(subject, match);
      return 'the device took both, and tells nothing';
    },
  },
];
