import { readFileSync } from 'node:fs';
import { ROUTES, type Route } from '@runcloud/protocol';
import t from 'tap';
import { ControlClient } from '../support/control-client.ts';
import { RestClient } from '../support/rest-client.ts';
import { TEST_KEY } from '../support/server.ts';
import { serverProgram, temporaryDataDir } from '../support/server-process.ts';
import { requestText, Wire } from '../support/wire.ts';

/** Another process's time is read from `/proc`. */
const options = { skip: process.platform === 'linux' ? false : 'NO /proc: time is NOT watched' };

/** Enough for the clock and for the compiler to have done its work; few enough to be quick. */
const CALLS = 1_000;
const SOCKETS = 300;

/** Milliseconds for which the process's first thread, its event loop, has had a processor. */
const loopMs = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

t.test(
  'a thousand requests of strangers, spread over all public routes, take less of the loop than a thousand taps',
  options,
  async (t) => {
    const dataDir = temporaryDataDir();
    t.teardown(dataDir.remove);
    const program = serverProgram(dataDir.path, {
      RUNCLOUD_API_KEY: TEST_KEY,
      RUNCLOUD_LOG: 'error',
      RUNCLOUD_RATE_LIMIT: 'off',
    });
    t.teardown(() => program.signal('SIGKILL'));
    const rest = new RestClient(await program.ready(), TEST_KEY);
    const session = await rest.createSession('ios');
    const client = await ControlClient.connect(rest.url, session, rest.authorization);
    const crowd = await Promise.all(
      Array.from({ length: SOCKETS }, () => ControlClient.connect(rest.url, session, rest.authorization)),
    );
    const wire = await Wire.open(rest.url);
    t.teardown(() => wire.drop());

    const publicPaths = Object.values(ROUTES as Record<string, Route>)
      .filter(
        ({ method, path, credential }) => method === 'GET' && credential === 'none' && !/^.(view|dash)/.test(path),
      )
      .map(({ path }) => path);
    t.ok(publicPaths.includes('/metrics') && publicPaths.includes('/openapi.json'));
    let tapped = 0;
    const taps = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await client.interact({ requestId: `tap-${tapped++}`, action: 'tap', x: 0.5, y: 0.5 });
      }
    };
    const asked = async (count: number, paths: readonly string[]) => {
      for (let index = 0; index < count; index++) {
        // As a browser, which the home page is for; to the other routes it makes no difference.
        void wire.write(requestText(`GET ${paths[index % paths.length]}`, { Accept: 'text/html' }));
        if ((await wire.answer())?.status !== 200) throw new Error('no answer');
      }
    };
    const costOf = async (work: () => Promise<void>): Promise<number> => {
      const before = loopMs(program.pid);
      await work();
      return loopMs(program.pid) - before;
    };
    await taps(CALLS);
    await asked(CALLS, publicPaths);
    // In turns, so that what else the machine does falls on both.
    const [ofTaps, ofPublic] = [[0], [0]];
    for (let round = 0; round < 5; round++) {
      ofTaps.push(await costOf(() => taps(CALLS / 5)));
      ofPublic.push(await costOf(() => asked(CALLS / 5, publicPaths)));
    }
    for (const path of publicPaths)
      t.comment(`${path}: ${((await costOf(() => asked(100, [path]))) / 100).toFixed(3)} ms`);
    const total = (parts: readonly number[]) => parts.reduce((sum, part) => sum + part, 0);
    t.comment(
      `${CALLS} taps ${total(ofTaps).toFixed(0)} ms, ${CALLS} public requests ${total(ofPublic).toFixed(0)} ms`,
    );
    t.ok(total(ofPublic) < total(ofTaps), `${total(ofPublic)} ms of public requests, ${total(ofTaps)} ms of taps`);
    for (const one of [client, ...crowd]) one.terminate();
  },
);
