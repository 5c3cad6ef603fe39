import t from 'tap';
import { RunCloud } from '../../client/sdk/index.ts';
import { commandLine } from '../support/command-line.ts';
import { decodePng } from '../support/picture.ts';
import { startServer, TEST_KEY } from '../support/server.ts';

/** Where the dock of the virtual iPhone has Notes, and a pixel that is white only in the opened app. */
const NOTES = { x: 0.39, y: 0.92 };
const isNotes = async (png: Uint8Array) => (await decodePng(Buffer.from(png))).at(300, 700) === '#ffffff';
const TRIES = 10;

t.test('a settled screenshot shows the app that a tap has just begun to open', async (t) => {
  const server = await startServer();
  t.teardown(() => server.close());
  const cloud = new RunCloud({ apiKey: TEST_KEY, baseUrl: server.url });
  const session = await cloud.sessions.create({ platform: 'ios' });
  const path = `/service/ios/${session.id}/screenshot`;
  const afterTap = async (take: () => Promise<Uint8Array>) => {
    await session.pressButton('home');
    await session.screenshot({ settled: true });
    await session.tap(NOTES.x, NOTES.y);
    return isNotes(await take());
  };
  const overRest = async (query: string) => new Uint8Array(await (await server.rest.fetch(path + query)).arrayBuffer());
  // The motion goes on for a moment, and a busy machine may ask after it.
  let isOpened = true;
  for (let tries = 0; tries < TRIES && isOpened; tries++) isOpened = await afterTap(() => overRest(''));
  t.notOk(isOpened, 'as it is: in the middle of the motion');
  t.equal(await afterTap(() => overRest('?settled=true')), true, 'REST');
  t.equal(await afterTap(() => session.screenshot({ settled: true })), true, 'the SDK over REST');
  await session.connect();
  t.equal(await afterTap(() => session.screenshot({ settled: true })), true, 'the control socket');
  const args = ['screenshot', '--settled', '-o', '-', '--session', session.id];
  const env = { RUNCLOUD_API_KEY: TEST_KEY, RUNCLOUD_BASE_URL: server.url };
  t.equal(
    await afterTap(async () => (await commandLine(args, { env, stateFolder: t.testdir() })).bytes),
    true,
    'the command line',
  );
  const refused = await server.rest.fetch(`${path}?settled=1`);
  t.equal(refused.status, 400);
  t.match(await refused.json(), { error: { code: 'invalid_screenshot_request', message: /settled/ } });
  session.disconnect();
});
