import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import t from 'tap';
import { SKIP_WITHOUT_AAPT } from './support/android-package.ts';
import { execute } from './support/built-package.ts';
import { sampleAndroid, sampleIos } from './support/sample-apps.ts';
import { startServer } from './support/server.ts';
import { entriesOf } from './support/zip.ts';

const admin = (cwd: string, ...args: readonly string[]) =>
  execute(process.execPath, [resolve('server/run.mjs'), 'admin', ...args], { cwd });

const FILES = [
  ['ios', 'sample.ipa', sampleIos, false],
  ['android', 'sample.apk', sampleAndroid, SKIP_WITHOUT_AAPT],
] as const;

for (const [platform, name, make, skip] of FILES) {
  t.test(`the sample app for ${platform} is written, taken, installed, and opened by its scheme`, async (t) => {
    const folder = t.testdir({});
    const path = join(folder, name);
    t.equal((await admin(folder, 'sample-app', platform)).stdout, `${path}\n`);
    const server = await startServer();
    t.teardown(() => server.close());
    const uploaded = await server.rest.fetch('/service/assets', { method: 'POST', body: readFileSync(path) });
    t.equal(uploaded.status, 201);
    const asset = (await uploaded.json()) as { id: string };
    t.match(asset, {
      platform,
      name: 'Sample',
      identifier: 'com.example.sample',
      version: '1.0',
      urlSchemes: ['sample'],
    });
    const created = await server.rest.call('POST', '/service/sessions', { platform, installAssets: [asset.id] });
    t.equal(created.status, 201);
    const url = `/service/${platform}/${(created.body as unknown as { id: string }).id}/open-url`;
    t.match(await server.rest.call('POST', url, { url: 'sample://hello' }), { status: 200, body: { ok: true } });
  });

  t.test(`the sample app for ${platform} is the one that its source makes`, { skip }, async (t) => {
    const kept = await entriesOf(readFileSync(join('server/sample', name)));
    t.strictSame(kept, await entriesOf(await make()));
  });
}

t.test('an unknown platform is refused, and nothing is written', async (t) => {
  const folder = t.testdir({});
  for (const args of [[], ['windows'], ['ios', 'android']]) {
    await t.rejects(admin(folder, 'sample-app', ...args), { code: 2, stderr: /ios or android/ });
  }
  t.notOk(existsSync(join(folder, 'sample.ipa')));
});
