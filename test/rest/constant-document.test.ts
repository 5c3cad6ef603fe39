import t from 'tap';
import { constantDocument } from '../../server/rest/constant-document.ts';

t.test('a document is made when the first asks for it, and never again', (t) => {
  let made = 0;
  const document = constantDocument(() => ({ made: ++made }));
  t.equal(made, 0, 'what it says may not be known yet');
  const first = document();
  t.match(first, { status: 200, headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' } });
  t.equal(String(first.body), '{"made":1}');
  const later = Array.from({ length: 1_000 }, document);
  t.ok(later.every((reply) => reply === first));
  t.equal(made, 1);
  t.end();
});

t.test('a document that could not be made is made when the next one asks', (t) => {
  const faults = [new Error('not yet'), new Error('still not')];
  let tries = 0;
  const document = constantDocument(() => {
    const fault = faults[tries++];
    if (fault) throw fault;
    return { tries };
  });
  t.throws(document, { message: 'not yet' });
  t.throws(document, { message: 'still not' });
  t.equal(String(document().body), '{"tries":3}');
  t.equal(String(document().body), '{"tries":3}');
  t.equal(tries, 3);
  t.end();
});
