import type { CreatedViewerLink } from '@runcloud/protocol';
import type { Page } from 'playwright-core';
import t from 'tap';
import { seriousFaults } from '../support/axe.ts';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const NOTES = [0.39, 0.92] as const;

t.test('two people settle who controls a session', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const links = `/service/sessions/${session.id}/viewer-links`;
  const link = (await server.rest.call<CreatedViewerLink>('POST', links, { role: 'control' })).body;
  const browser = await startBrowser(t);
  const foreground = async () => (await server.inspect('ios', session.id)).foreground;

  const guest = await ViewerPage.open(browser, { url: link.url }, { bypassCSP: true });
  t.equal(await guest.page.locator('.control').isVisible(), false, 'alone, nothing has to be settled');
  const owner = await ViewerPage.blank(browser, { bypassCSP: true });
  await owner.page.goto(server.url + withLinks(server.dataDir, (made) => made.signIn('local').path));
  await owner.page.getByRole('heading', { name: 'Start a phone' }).waitFor();
  await owner.page.goto(session.url);
  await owner.shown();

  await button(guest.page, 'Get control').click();
  await guest.page.getByText('You have control', { exact: true }).waitFor();
  await owner.page.getByText('Viewer link has control', { exact: true }).waitFor();
  const before = await foreground();
  await owner.click(...NOTES);
  await owner.page.getByText('Viewer link has control. Your input is not sent.').waitFor();
  await button(owner.page, 'Home').click();
  t.equal(await foreground(), before, 'input is not sent');
  t.same(await seriousFaults(owner.page), []);

  await button(owner.page, 'Ask for control').click();
  await button(owner.page, 'Withdraw request').waitFor();
  await guest.page.getByText('local asks for control.').waitFor();
  t.same(await seriousFaults(guest.page), []);
  await button(guest.page, 'Grant control to local').click();
  await owner.page.getByText('You have control now.').waitFor();
  await guest.page.getByText('local has control now.').waitFor();
  await owner.click(...NOTES);
  await until(async () => (await foreground()) === 'notes', 'Notes to open');

  await button(guest.page, 'Ask for control').click();
  await button(owner.page, 'Deny control to Viewer link').click();
  await guest.page.getByText('Your request for control was not granted.').waitFor();
  t.equal(await button(guest.page, 'Take control').count(), 0, 'a guest takes nothing');

  await button(owner.page, 'Give up control').click();
  await button(guest.page, 'Get control').click();
  await button(owner.page, 'Take control').click();
  await guest.page.getByText('local has control', { exact: true }).waitFor();
  await owner.page.context().close();
  await button(guest.page, 'Ask for control').click();
  await guest.page.getByText('You have control now.').waitFor();
  t.same([...guest.faults, ...owner.faults], []);
});
