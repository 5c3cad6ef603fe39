import fc from 'fast-check';
import t from 'tap';
import { encodeClientMessage } from '../../protocol/codec.ts';
import { peekMessage } from '../../server/wire/message-peek.ts';

const peek = (message: Record<string, unknown>) => peekMessage(encodeClientMessage(message));

t.test('the texts that a message begins with are read, up to its first list or map', async (t) => {
  const steps = [{ phase: 'begin' }];
  t.strictSame(peek({ type: 'interaction', requestId: 'r-1', timeoutMs: 1.5, action: 'gesture', steps, acks: 'all' }), {
    type: 'interaction',
    requestId: 'r-1',
    action: 'gesture',
  });
  t.strictSame(peek({ requestId: 'x'.repeat(128), n: null, b: true, i: 2 ** 40, type: 'open-url' }), {
    requestId: 'x'.repeat(128),
    type: 'open-url',
  });
});

t.test('a text that is too long for a name ends the reading', async (t) => {
  t.strictSame(peek({ type: 'open-url', url: 'x'.repeat(129), requestId: 'r' }), { type: 'open-url' });
  t.strictSame(peek({ type: 'open-url', url: 'x'.repeat(60_000), requestId: 'r' }), { type: 'open-url' });
});

t.test('a field of any name is a field of what is read, and nothing else', async (t) => {
  for (const name of ['toString', 'constructor', 'hasOwnProperty'])
    t.strictSame(peek({ [name]: 'x' }), { [name]: 'x' });
  const proto = peekMessage(Buffer.from([0x81, 0xa9, ...Buffer.from('__proto__'), 0xa1, 0x61]));
  t.strictSame(proto, {});
});

t.test('any bytes give some texts or none, and no error', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const begun = Uint8Array.of(0x88, ...bytes);
      return Object.values(peekMessage(begun)).every((value) => typeof value === 'string');
    }),
    { numRuns: 2_000 },
  );
  t.strictSame(peekMessage(new Uint8Array()), {});
});
