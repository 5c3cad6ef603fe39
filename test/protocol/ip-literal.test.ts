import { isIPv6 } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { isIpLiteral } from '../../protocol/ip-literal.ts';

t.test('an address in brackets is one exactly when Node.js takes it for IPv6', async () => {
  const group = fc.constantFrom('0', '1', 'ff', 'ABCD', '12345', 'g', '', '1.2.3.4', '1.2.3', '01.2.3.4', '256.1.1.1');
  const text = fc.array(group, { maxLength: 10 }).map((groups) => groups.join(':'));
  fc.assert(
    fc.property(fc.oneof(text, fc.ipV6()), (inside) => isIpLiteral(`[${inside}]`) === isIPv6(inside)),
    { numRuns: 20_000 },
  );
});

t.test('an address of a later version is one, and a zone, or what has no brackets, is not', async (t) => {
  for (const text of ['[v1.a]', '[VF.fe80::a+1]']) t.equal(isIpLiteral(text), true, text);
  for (const text of [
    '::1',
    '[::1',
    '::1]',
    '[v.a]',
    '[v1a]',
    '[v1.]',
    '[vg.a]',
    '[v1.a/]',
    '[fe80::1%25a]',
    '[::1]\n',
    '[::1\n]',
  ]) {
    t.equal(isIpLiteral(text), false, JSON.stringify(text));
  }
});
