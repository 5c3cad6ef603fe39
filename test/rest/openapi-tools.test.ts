import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { compilerProgram } from '../../client/build/declarations.ts';
import { openApiDocument } from '../../server/rest/openapi.ts';
import { execute } from '../support/built-package.ts';

/** What the tools of OpenAPI's users say of the document. */

const text = JSON.stringify(openApiDocument('1.2.3', 'https://devices.test'));

/** One line for each problem. */
async function problemsOf(folder: string, source: string): Promise<string[]> {
  const file = join(folder, 'openapi.json');
  writeFileSync(file, source);
  const { stdout } = await execute(process.execPath, ['test/generators/lint.mjs', file]);
  return stdout.split('\n').slice(0, -1);
}

t.test("Redocly's recommended rules find nothing to say", async (t) => {
  const folder = t.testdir({});
  t.strictSame(await problemsOf(folder, text), []);
  const [problem] = await problemsOf(
    folder,
    text.replace('"tags":[{"name":"Sessions","description":', '"tags":[{"name":"Sessions","x-description":'),
  );
  t.match(problem, /tag-description/, 'they do say something');
});

const PROGRAM = `
import type { components, paths } from './types.js';

type Interaction = components['schemas']['Interaction'];
type Body<Path extends keyof paths> = paths[Path] extends {
  post: { requestBody: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

export const tap: Interaction = { action: 'tap', x: 0.5, y: 0.5 };
export const key: Interaction = { action: 'pressKey', key: 'enter' };
export const body: Body<'/service/{platform}/{sessionId}/interactions'> = { action: 'swipe', from: tap, to: tap };
export const session: Body<'/service/sessions'> = { platform: 'ios' };
export const link: Body<'/service/sessions/{sessionId}/viewer-links'> = { role: 'view' };
export const code: components['schemas']['Error']['code'] = 'simulator_capacity_unavailable';
// @ts-expect-error a tap has two coordinates
export const half: Interaction = { action: 'tap', x: 0.5 };
// @ts-expect-error there is no such key
export const misspelt: Interaction = { action: 'pressKey', key: 'entr' };
// @ts-expect-error there is no such error
export const unknown: components['schemas']['Error']['code'] = 'simulator_capacity';
`;

t.test('the types that openapi-typescript makes, without options, let the plainest calls be written', async (t) => {
  const folder = t.testdir({ 'openapi.json': text, 'program.ts': PROGRAM });
  const generator = 'test/generators/node_modules/openapi-typescript/bin/cli.js';
  const made = join(folder, 'types.ts');
  await execute(process.execPath, [generator, join(folder, 'openapi.json'), '--output', made]);
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022', types: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  await execute(await compilerProgram(), ['--project', folder]).catch(({ stdout }: { stdout: string }) =>
    t.fail(stdout),
  );
});
