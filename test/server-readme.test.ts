import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const text = readFileSync('server/README.md', 'utf8');
const sources = new Set(
  ['server', 'protocol'].flatMap((top) =>
    readdirSync(top, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules'))
      .map((name) => join(top, name)),
  ),
);

t.test('each path that is named in server/README.md exists', async (t) => {
  const named = [...text.matchAll(/`((?:server|protocol|client|bench|test)\/[\w./-]+)`/g)].map(
    (match) => match[1] ?? '',
  );
  t.ok(named.length > 20);
  for (const path of named) t.ok(existsSync(path), path);
});

t.test('each part of the six paths exists', async (t) => {
  const drawn = [...text.matchAll(/```\n([^`]*)```/g)].flatMap(
    ([, block = '']) => block.match(/[a-z]+\/[a-z/-]+[a-z]/g) ?? [],
  );
  t.ok(drawn.length > 30);
  for (const part of drawn) {
    const path = part.startsWith('protocol/') ? part : `server/${part}`;
    t.ok(
      [path, `${path}.ts`].some((name) => sources.has(name)),
      part,
    );
  }
});
