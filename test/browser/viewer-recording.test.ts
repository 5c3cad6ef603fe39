import type { RecordingList, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { startBrowser, ViewerPage, withoutBrowser } from '../support/browser.ts';
import { startServer } from '../support/server.ts';

t.test('a person records what they do, and two pages of a session agree', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const recordings = async () => {
    const { body } = await server.rest.call<RecordingList>('GET', `/service/ios/${session.id}/recordings`);
    return body.recordings.map(({ status }) => status);
  };
  const browser = await startBrowser(t);
  const viewer = await ViewerPage.open(browser, session);
  const button = (name: string, page = viewer.page) => page.getByRole('button', { name, exact: true });

  await button('Record').click();
  await viewer.page.getByText('Recording.', { exact: true }).waitFor();
  t.equal(await button('Stop recording').getAttribute('aria-pressed'), 'true');
  t.same(await recordings(), ['recording']);

  const late = await ViewerPage.open(browser, session as SessionRecord);
  await button('Stop recording', late.page).waitFor();
  await viewer.click(0.388, 0.922);
  await viewer.until(() => true, 'the app to be open');
  await button('Stop recording', late.page).click();
  await late.page.getByText('Recording saved.').waitFor();
  await button('Record').waitFor();
  await button('Record', late.page).waitFor();
  t.equal(await button('Record').getAttribute('aria-pressed'), 'false');
  t.same(await recordings(), ['ready']);

  await button('Record').click();
  await viewer.page.getByText('Recording.', { exact: true }).first().waitFor();
  await button('Stop recording', late.page).waitFor();
  t.equal((await recordings()).length, 2);
  await server.rest.releaseSession(session.id);
  t.same(await recordings(), ['ready', 'ready'], 'a release saves what a page had begun');
  t.same([...viewer.faults, ...late.faults], []);
});

t.test('a viewer that may only watch has no record button', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const session = await server.rest.createSession('ios');
  const { body } = await server.rest.call<{ url: string }>('POST', `/service/sessions/${session.id}/viewer-links`, {
    role: 'view',
  });
  const viewer = await ViewerPage.open(await startBrowser(t), body);
  t.equal(await viewer.page.getByRole('button', { name: 'Record', exact: true }).count(), 0);
  t.equal(await viewer.page.getByRole('button', { name: 'Screenshot', exact: true }).count(), 1);
});
