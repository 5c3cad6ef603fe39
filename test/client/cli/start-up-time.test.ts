import t from 'tap';
import { execute } from '../../support/built-package.ts';
import { answerJson, startScriptedHttp } from '../../support/scripted-http.ts';

const ROUNDS = 15;
/** Of an empty program of Node.js. It is about two; through the sources, loaded one by one, it is twenty. */
const RATIO_MAX = 8;

t.test('a command of the clone takes little longer than an empty program', async (t) => {
  const service = await startScriptedHttp(t, (_request, response) => answerJson(response, 200, { sessions: [] }));
  const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_BASE_URL: service.url };
  const command = ['client/bin/runcloud.js'];
  const programs = { empty: ['-e', '0'], version: [...command, 'version'], list: [...command, 'session', 'list'] };
  const times: Record<string, number[]> = { empty: [], version: [], list: [] };
  await execute(process.execPath, programs.version);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, args] of Object.entries(programs)) {
      const startedMs = performance.now();
      await execute(process.execPath, args, { env });
      times[name]?.push(performance.now() - startedMs);
    }
  }
  const median = (name: string) => times[name]?.sort((a, b) => a - b)[ROUNDS >> 1] ?? Number.NaN;
  for (const name of ['version', 'list']) {
    const ratio = median(name) / median('empty');
    t.comment(`${name}: ${median(name).toFixed(0)} ms, ${ratio.toFixed(2)} times an empty program`);
    t.ok(ratio < RATIO_MAX, `${name}: ${ratio.toFixed(2)}`);
  }
});
