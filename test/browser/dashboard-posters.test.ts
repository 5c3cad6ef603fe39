import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingRecord, SessionRecord } from '@runcloud/protocol';
import t from 'tap';
import { startBrowser, withoutBrowser } from '../support/browser.ts';
import { withLinks } from '../support/dashboard-client.ts';
import { DashboardPage } from '../support/dashboard-page.ts';
import { startServer } from '../support/server.ts';

t.test(
  'recordings are told apart in lists: by what their sessions are called, and by their posters',
  { skip: withoutBrowser },
  async (t) => {
    const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:4' });
    t.teardown(() => server.close());
    const { rest } = server;
    const recordings = ({ id }: SessionRecord) => `/service/ios/${id}/recordings`;
    const record = async (labels: Record<string, string>, orientation: string) => {
      const body = { platform: 'ios', labels };
      const session = (await rest.call<SessionRecord>('POST', '/service/sessions', body)).body;
      await rest.interact(session, { action: 'rotate', orientation });
      const started = (await rest.call<RecordingRecord>('POST', recordings(session))).body;
      return { session, started };
    };
    const stop = ({ session, started }: Awaited<ReturnType<typeof record>>) =>
      rest.call('POST', `${recordings(session)}/${started.id}/stop`);
    const named = await record({ name: 'Checkout', run: '1204' }, 'portrait');
    const labelled = await record({ run: '1205', branch: 'main' }, 'landscape_left');
    const plain = await record({}, 'portrait');
    const running = await record({ name: 'Still running' }, 'portrait');
    for (const each of [named, labelled, plain]) await stop(each);
    rmSync(join(server.dataDir, 'recordings', `${plain.started.id}.mp4`));

    const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
    const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
    const { page } = dashboard;
    await dashboard.heading('Start a phone');
    const row = ({ started }: typeof named) => page.locator(`[data-recording=${started.id}]`);
    const poster = (of: typeof named) => row(of).locator('.poster img');
    const drawn = (of: typeof named) =>
      poster(of).evaluate(async (image: HTMLImageElement) => {
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [8, 8];
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0, 8, 8);
        const bright = Math.max(...(context?.getImageData(0, 0, 8, 8).data.filter((_value, at) => at % 4 < 3) ?? []));
        return { bright, width: image.naturalWidth, height: image.naturalHeight, loading: image.loading };
      });
    for (const at of ['recordings', 'session'] as const) {
      if (at === 'recordings') await page.getByRole('link', { name: 'Recordings', exact: true }).click();
      else await page.goto(`${server.url}/dashboard/sessions/${named.session.id}`);
      t.match(await row(named).locator('.main a').textContent(), /^Checkout · \w{6}$/);
      t.match(await row(named).locator('.quiet').textContent(), /\d:\d\d [AP]M · \d+ s · /, 'with time and length');
      const { bright, width, height, loading } = await drawn(named);
      t.equal(loading, 'lazy');
      t.ok(height > width && bright > 60, `${width} × ${height}, as bright as ${bright}`);
    }
    await page.goto(`${server.url}/dashboard/recordings`);
    t.match(await row(labelled).locator('.main a').textContent(), /^run: 1205, branch: main · \w{6}$/);
    const lying = await drawn(labelled);
    for (const each of [named, labelled]) {
      const [inner, outer] = [await poster(each).boundingBox(), await row(each).boundingBox()];
      if (!inner || !outer) throw new Error('a poster has no place');
      const ends = inner.y + inner.height <= outer.y + outer.height;
      t.ok(inner.y >= outer.y && ends, 'a poster stays within its row');
      const { width, height } = await drawn(each);
      t.ok(Math.abs(inner.width / inner.height / (width / height) - 1) < 0.05, 'and keeps its shape');
    }
    t.ok(lying.width > lying.height && lying.bright > 60, `${lying.width} × ${lying.height}`);
    t.match(await row(plain).locator('.main a').textContent(), /^Virtual iPhone · \w{6}$/);
    await row(plain).locator('.poster svg').waitFor();
    await row(running).locator('.poster svg').waitFor();
    t.equal(await row(running).locator('img').count(), 0, 'a recording that is not ready is not asked for');
    t.equal(await poster(plain).count(), 0, 'nor does a broken picture stay');
    t.strictSame(await dashboard.nameless(), []);

    await row(named)
      .getByRole('link', { name: /^Play Checkout/ })
      .click();
    await dashboard.page.getByRole('heading', { level: 1, name: /^Recording of Checkout/ }).waitFor();
    const address = await page.locator('.player video').evaluate((video: HTMLVideoElement) => video.poster);
    t.equal(new URL(address).pathname, `${recordings(named.session)}/${named.started.id}/poster`);
    const answer = await page.request.get(address);
    t.strictSame([answer.status(), answer.headers()['content-type']], [200, 'image/jpeg']);
    t.strictSame(dashboard.faults, []);
  },
);

t.test('posters are loaded as they come into view', { skip: withoutBrowser }, async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const { rest } = server;
  const session = await rest.createSession('ios');
  const recordings = `/service/ios/${session.id}/recordings`;
  const COUNT = 40;
  for (let made = 0; made < COUNT; made++) {
    const { body } = await rest.call<RecordingRecord>('POST', recordings);
    await rest.call('POST', `${recordings}/${body.id}/stop`);
  }
  const link = withLinks(server.dataDir, (links) => links.signIn('local').path);
  const dashboard = await DashboardPage.open(await startBrowser(t), server.url + link);
  const { page } = dashboard;
  await dashboard.heading('Start a phone');
  const asked = new Set<string>();
  page.on('request', (request) => void (request.url().endsWith('/poster') && asked.add(request.url())));
  await page.getByRole('link', { name: 'Recordings', exact: true }).click();
  const images = page.locator('.poster img');
  await images.first().evaluate((image: HTMLImageElement) => image.decode());
  t.equal(await images.count(), COUNT);
  t.ok(asked.size < COUNT, `${asked.size} of ${COUNT} posters were asked for`);
  await images.last().scrollIntoViewIfNeeded();
  await images.last().evaluate((image: HTMLImageElement) => image.decode());
  t.strictSame(dashboard.faults, []);
});
