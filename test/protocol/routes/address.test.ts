import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { Account, CreatedKey, SessionRecord } from '../../../protocol/index.ts';
import { type AnswerAt, routeTo } from '../../../protocol/routes/address.ts';

t.test('an address becomes a method and a path, whose parameters are one segment each', async (t) => {
  t.same(routeTo('GET /service/account'), { method: 'GET', path: '/service/account' });
  t.same(routeTo('DELETE /service/sessions/{sessionId}/viewer-links/{linkId}', { sessionId: 'a/b', linkId: '$&?' }), {
    method: 'DELETE',
    path: '/service/sessions/a%2Fb/viewer-links/%24%26%3F',
  });
});

t.test('an address that is no route does not compile, nor one that lacks a parameter', async (t) => {
  // Each of these is an error of the compiler, which `npm run check` wants to see.
  // @ts-expect-error there is no such path
  routeTo('GET /service/accounts');
  // @ts-expect-error the path has no such method
  routeTo('DELETE /service/account');
  // @ts-expect-error a parameter is missing
  routeTo('GET /service/sessions/{sessionId}');
  // @ts-expect-error the parameter has another name
  t.ok(routeTo('GET /service/sessions/{sessionId}', { id: 'ses_1' }));
});

t.test("the type of a route's answer follows from its address", async (t) => {
  const session = {} as AnswerAt<'GET /service/sessions/{sessionId}'> satisfies SessionRecord;
  const key = {} as AnswerAt<'POST /service/account/keys'> satisfies CreatedKey;
  // @ts-expect-error an account is no session
  const other = {} as AnswerAt<'GET /service/sessions/{sessionId}'> satisfies Account;
  t.equal(new Set<unknown>([session, key, other]).size, 3);
});

t.test('no client writes a path of the service by hand', async (t) => {
  const files = readdirSync('client', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !/node_modules|^dist\//.test(name))
    .map((name) => join('client', name));
  t.ok(files.length > 100, `${files.length} files`);
  for (const file of files) t.notMatch(readFileSync(file, 'utf8'), /['"`]\/(?:service|oauth)\//, file);
});
