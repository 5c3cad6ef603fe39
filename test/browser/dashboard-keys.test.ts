import type { CreatedKey } from '@runcloud/protocol';
import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { RestClient } from '../support/rest-client.ts';
import { startServer } from '../support/server.ts';

t.test(
  'a key takes what it made along, though what it made directly was revoked before',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer();
    t.teardown(() => server.close());
    const { rest } = server.addAccount('acme');
    const made = async (by: RestClient, name: string) =>
      (await by.call<CreatedKey>('POST', '/service/account/keys', { name })).body;
    const second = await made(rest, 'second');
    const third = await made(new RestClient(server.url, second.key), 'third');
    await rest.call('DELETE', `/service/account/keys/${second.id}`);
    const link = withLinks(server.dataDir, (links) => links.signIn('acme').path);
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
    const { page } = dashboard;
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.locator('.row').last().getByRole('button').click();
    t.ok(await page.getByRole('checkbox', { name: /that it created/ }).isChecked());
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No API keys').waitFor();
    t.equal((await new RestClient(server.url, third.key).call('GET', '/service/account')).status, 401);
  },
);
