import { LIMITS } from '@runcloud/protocol/terms';
import fc from 'fast-check';
import t from 'tap';
import { RetrievalReferences } from '../../server/recording/retrieval-references.ts';
import { FakeClock } from '../support/fake-clock.ts';

const secret = new Uint8Array(32).fill(3);
const otherSecret = new Uint8Array(32).fill(3).fill(4, 31);

t.test('a reference opens its recording for a minute', async (t) => {
  const clock = new FakeClock();
  const references = new RetrievalReferences(() => secret, clock);
  const reference = references.sign('rec_1');
  t.ok(references.verify('rec_1', reference));
  await clock.advance(LIMITS.recordingReferenceMs - 1);
  t.ok(references.verify('rec_1', reference));
  await clock.advance(1);
  t.notOk(references.verify('rec_1', reference));
});

t.test('it opens nothing else, and another secret signs nothing for it', async (t) => {
  const clock = new FakeClock();
  const references = new RetrievalReferences(() => secret, clock);
  t.notOk(references.verify('rec_2', references.sign('rec_1')));
  t.notOk(new RetrievalReferences(() => otherSecret, clock).verify('rec_1', references.sign('rec_1')));
  t.throws(() => new RetrievalReferences(() => new Uint8Array(31), clock), RangeError);
});

t.test('no alteration of a reference is accepted', async (t) => {
  const references = new RetrievalReferences(() => secret, new FakeClock());
  const reference = references.sign('rec_1');
  const altered = fc
    .tuple(fc.nat(reference.length - 1), fc.constantFrom(...'0123456789AZaz-_.=+/ v'))
    .map(([at, to]) => {
      return reference.slice(0, at) + to + reference.slice(at + 1);
    });
  const forged = fc.oneof(
    altered,
    fc.string(),
    fc.nat(reference.length).map((end) => reference.slice(0, end)),
  );
  fc.assert(
    fc.property(forged, (text) => text === reference || !references.verify('rec_1', text)),
    { numRuns: 5_000 },
  );
  for (const tail of ['', '.', '=', ' ', '\n', '0'])
    if (tail !== '') t.notOk(references.verify('rec_1', reference + tail));
});
