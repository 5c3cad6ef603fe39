import t from 'tap';
import { admin, json } from './support/admin-command.ts';

t.test('an invitation and a sign-in link are printed with the address that clients see', async (t) => {
  const dir = t.testdir();
  await admin(dir, 'account', 'create', 'acme');
  const invited = json(await admin(dir, 'account', 'invite', 'ada@example.com', '--json'));
  t.match(invited, { url: /^http:\/\/127\.0\.0\.1:8787\/dashboard\/welcome#rcl_\w{38}$/, expiresAt: /Z$/ });
  const named = await admin(
    dir,
    'account',
    'invite',
    'bob@example.com',
    '--account',
    'acme',
    '--url',
    'https://d.example',
  );
  t.match(named, { code: 0, stdout: /^link {4}https:\/\/d\.example\/dashboard\/welcome#rcl_\w+\nuntil {3}.*Z\n$/ });
  const link = await admin(dir, 'account', 'sign-in', 'acme', '--quiet');
  t.match(link, { code: 0, stdout: /^http:\S+\/dashboard\/enter#rcl_\w{38}\n$/ });
});

t.test('a link that cannot be made says why, and is not made', async (t) => {
  const dir = t.testdir();
  for (const [code, args, message] of [
    [2, ['account', 'invite', 'ada'], /not an e-mail address/],
    [1, ['account', 'invite', 'ada@example.com', '--account', 'none'], /no account "none"/],
    [1, ['account', 'sign-in', 'none'], /no account "none"/],
    [2, ['account', 'invite'], /one argument, EMAIL/],
    [2, ['account', 'invite', 'ada@example.com', '--name', 'x'], /no option --name/],
    [2, ['account', 'invite', 'ada@example.com', '--url', 'd.example/x'], /RUNCLOUD_PUBLIC_URL/],
  ] as const) {
    const run = await admin(dir, ...args);
    t.match(run, { code, stdout: '', stderr: message }, args.join(' '));
  }
});
