import { ServiceError } from '@runcloud/protocol/terms';
import t from 'tap';
import { readQuery } from '../../server/rest/query.ts';

const ALLOWED = ['platform', 'status'];
const refusal = (query: string): string => {
  try {
    readQuery(query, ALLOWED);
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid_request') return error.message;
  }
  return 'it was accepted';
};

t.test('allowed parameters are read in any order, with their escapes decoded once', async (t) => {
  t.same(readQuery('', ALLOWED), {});
  t.same(readQuery('status=active&platform=ios', ALLOWED), { status: 'active', platform: 'ios' });
  t.same(readQuery('platform=%2569', ALLOWED), { platform: '%69' });
  t.same(readQuery('platform', ALLOWED), { platform: '' }, 'a name alone is an empty value');
});

t.test('an unknown parameter is refused by its name, and the allowed ones are told', async (t) => {
  t.equal(refusal('platfrom=ios'), '"platfrom" is not a known parameter; allowed: platform, status.');
  t.match(refusal('__proto__=1'), /"__proto__" is not a known parameter/);
  t.match(refusal('toString=1'), /"toString" is not a known parameter/);
});

t.test('a parameter that is given twice is refused, even with an empty value or an escaped name', async (t) => {
  t.match(refusal('status=a&status=a'), /"status" is given twice/);
  t.match(refusal('status=&st%61tus='), /"status" is given twice/);
});

t.test('a name of a stranger is shortened and cannot break a line', async (t) => {
  const message = refusal(`${'x'.repeat(500)}=1`);
  t.ok(message.length < 200, message);
  t.notMatch(refusal('a%0d%0ab=1'), /[\r\n]/);
});
