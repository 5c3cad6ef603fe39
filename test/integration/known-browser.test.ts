import t from 'tap';
import { DashboardClient, withLinks } from '../support/dashboard-client.ts';
import { startServer } from '../support/server.ts';

const server = await startServer();
t.teardown(() => server.close());
const ADA = 'ada@example.com';
const PASSWORD = 'correct horse battery';

t.test(
  'a browser that signed in before can sign in while strangers guess passwords, also from their address',
  async (t) => {
    const ada = new DashboardClient(server.url);
    const token = withLinks(server.dataDir, (links) => links.invite(ADA).path).split('#')[1];
    await ada.call('POST', '/service/account/invitations/accept', { token, password: PASSWORD });
    t.match(ada.mark, /^runcloud-\d+-browser=v1\.acc_/);
    t.equal((await ada.fetch('POST', '/service/account/sign-out')).status, 200);
    const attempt = async (browser: DashboardClient, password: string) =>
      (await browser.fetch('POST', '/service/account/sign-in', { email: ADA, password })).status;
    // Where the processors are busy, the first waits are over before the next guess comes; each is longer than the last.
    let last = 0;
    for (let n = 0; n < 20 && last !== 429; n++) last = await attempt(new DashboardClient(server.url), 'wrong horse');
    t.equal(last, 429, 'strangers wait');
    t.equal(await attempt(new DashboardClient(server.url), PASSWORD), 429, 'also a new browser of the person');
    t.equal(await attempt(ada, PASSWORD), 200);
    t.equal((await ada.call('GET', '/service/account')).status, 200);
    const stolen = new DashboardClient(server.url);
    stolen.mark = ada.mark;
    t.equal((await stolen.fetch('GET', '/service/account')).status, 401, 'the mark alone opens nothing');
  },
);
