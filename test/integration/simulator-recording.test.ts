import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordingRecord } from '@runcloud/protocol';
import t from 'tap';
import { closeIdleConnections } from '../support/idle-connections.ts';
import { MacThread } from '../support/ios/mac-thread.ts';
import { startServer } from '../support/server.ts';

t.test('what a simulator shows ends in a recording, and the next session has a simulator of its own', async (t) => {
  const mac = await MacThread.start({});
  const server = await startServer({ ...mac.tools, RUNCLOUD_DEVICES: 'ios-simulator:iPhone Stand-In' });
  t.teardown(async () => {
    await server.close();
    await mac.close();
    await closeIdleConnections();
  });
  const { rest } = server;
  const create = async () => {
    for (let tries = 0; ; tries++) {
      const { status, body } = await rest.call<{ id: string }>('POST', '/service/sessions', { platform: 'ios' });
      if (status === 201) return body.id;
      if (tries === 100) throw new Error(`no session: ${status}`);
      await sleep(300);
    }
  };
  const id = await create();
  const path = `/service/ios/${id}/recordings`;
  const begun = await rest.call<RecordingRecord>('POST', path);
  t.equal(begun.status, 201);
  for (const x of [0.2, 0.5, 0.8]) {
    const swipe = { action: 'swipe', from: { x, y: 0.4 }, to: { x, y: 0.6 } };
    t.equal((await rest.call('POST', `/service/ios/${id}/interactions`, swipe)).status, 200);
  }
  const { body } = await rest.call<RecordingRecord>('POST', `${path}/${begun.body.id}/stop`);
  t.match(body, { status: 'ready', contentType: 'video/mp4' });
  t.ok(Number(body.durationMs) > 500, `${body.durationMs} ms`);
  const screenshot = await rest.fetch(`/service/ios/${id}/screenshot`);
  t.equal(screenshot.headers.get('content-type'), 'image/png');
  t.equal(Buffer.from(await screenshot.arrayBuffer()).toString('latin1', 1, 4), 'PNG');
  const missing = await rest.call<{ error: object }>('POST', `/service/ios/${id}/open-url`, {
    url: 'nobody-has-this://x',
  });
  t.match([missing.status, missing.body.error], [422, { code: 'ios_url_handler_not_found' }]);
  await rest.releaseSession(id);
  t.not(await create(), id);
});
