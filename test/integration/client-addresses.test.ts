import t from 'tap';
import { DashboardClient } from '../support/dashboard-client.ts';
import { startServer } from '../support/server.ts';
import { exchange, requestText } from '../support/wire.ts';

/** A request that the proxy of this machine passes on, with these lines of its header. */
function ask(url: string, path: string, body: string, lines: readonly string[], more: Record<string, string> = {}) {
  const text = requestText(`POST ${path}`, more, body);
  const forwarded = lines.map((line) => `X-Forwarded-For: ${line}\r\n`).join('');
  return exchange(url, text.replace('\r\n\r\n', `\r\n${forwarded}\r\n`));
}

/** How many of 45 tries with a wrong link are refused for being too many; each says it comes from another place. */
async function refusedOf(
  url: string,
  linesOf: (index: number) => readonly string[],
  more: Record<string, string> = {},
) {
  let refused = 0;
  // At once: an answer that refuses is late, and the door opens again after a second.
  const asked = Array.from({ length: 45 }, async (_, index) => {
    const headers = { ...new DashboardClient(url).own, 'Content-Type': 'application/json', ...more };
    const answer = await ask(url, '/service/account/sign-in-links', '{"token":"wrong"}', linesOf(index), headers);
    if (answer?.status === 429) refused++;
    else t.equal(answer?.status, 401, `${answer?.body}`);
  });
  await Promise.all(asked);
  return refused;
}

for (const [title, linesOf, headers] of [
  ['a line of the caller before that of the proxy', (index: number) => [`198.51.100.${index}`, '192.0.2.1'], {}],
  ['an entry of the caller before that of the proxy', (index: number) => [`198.51.100.${index}, 192.0.2.2`], {}],
  ['other addresses of the same IPv6 network', (index: number) => [`2001:db8:0:1:${index}::${index}`], {}],
  ['a false key', () => ['192.0.2.3'], { Authorization: 'Bearer wrong' }],
] as const) {
  t.test(`limits of an address hold against ${title}`, async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    t.equal(await refusedOf(server.url, linesOf, headers), 14, 'of the first 31 the last closes the door');
    const elsewhere = await refusedOf(server.url, (index) => [`203.0.113.${index}`], headers);
    t.equal(elsewhere, 0, 'and not against others behind the same proxy');
  });
}

t.test(
  'the person who is asked is shown the address that the proxy names, whatever the program says of itself',
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const cases = [
      ['192.0.2.7', ['198.51.100.1', '192.0.2.7'], { Authorization: 'Bearer wrong' }],
      ['192.0.2.8', ['198.51.100.1, 192.0.2.8'], {}],
      ['2001:db8:0:1::1', ['2001:db8:0:1::1'], {}],
      ['2001:db8:0:1::2', ['2001:db8:0:1::2'], { Authorization: server.rest.authorization }],
    ] as const;
    for (const [address, lines, headers] of cases) {
      const answer = await ask(server.url, '/oauth/device_authorization', 'client_id=runcloud-cli', lines, {
        ...type,
        ...headers,
      });
      t.equal(answer?.status, 200);
      const { user_code: code } = JSON.parse(String(answer?.body));
      const shown = await server.rest.call<{ address: string }>('GET', `/service/account/device-requests/${code}`);
      t.equal(shown.body.address, address);
    }
  },
);
