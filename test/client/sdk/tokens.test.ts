import t from 'tap';
import { RunCloud } from '../../../client/sdk/index.ts';
import { letIn } from '../../support/let-in.ts';
import { startServer, TEST_KEY } from '../../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const cloudOf = (apiKey: string) => new RunCloud({ apiKey, baseUrl: server.url });

t.test('approved programs are listed newest first, and signed out one by one', async (t) => {
  const { tokens } = cloudOf(TEST_KEY);
  const laptop = cloudOf((await letIn(server.rest, 'laptop')).accessToken);
  const robot = cloudOf((await letIn(server.rest, 'robot')).accessToken);
  const [second, first] = await tokens.list();
  t.match(
    [first, second],
    [
      { id: /^tok_/, client: 'RunCloud command line', deviceName: 'laptop', createdAt: /Z$/, expiresAt: /Z$/ },
      { id: /^tok_/, deviceName: 'robot' },
    ],
  );
  t.match(await robot.account.get(), { credential: { kind: 'token', id: second?.id } });

  await tokens.revoke(second?.id ?? '');
  await tokens.revoke(second?.id ?? '');
  await t.rejects(robot.account.get(), { code: 'authentication_required' });
  await t.resolves(laptop.account.get(), 'the other one stays');
  const left: string[] = [];
  for await (const { id } of tokens.all()) left.push(id);
  t.same(left, [first?.id]);
});

t.test('a program that the account does not have is told of', async (t) => {
  const { tokens } = cloudOf(TEST_KEY);
  const other = server.addAccount('other');
  await letIn(other.rest);
  const [theirs] = await cloudOf(other.key).tokens.list();
  for (const id of ['tok_unknown', theirs?.id ?? '']) {
    await t.rejects(tokens.revoke(id), { code: 'token_not_found', status: 404 }, id);
  }
  t.equal((await cloudOf(other.key).tokens.list()).length, 1);
  await t.rejects(tokens.revoke(''), RangeError);
});
