import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';

const { platform, arch } = process;
const OTHER = platform === 'win32' ? 'linux' : 'win32';

const KEPT = [
  `uWebSockets.js/binaries/uws_${platform}_${arch}_115.node`,
  `uWebSockets.js/binaries/uws_${platform}_${arch}_137.node`,
  'uWebSockets.js/src/uws.js',
  'uWebSockets.js/binaries/README',
  `@julusian/jpeg-turbo/prebuilds/jpeg-turbo-${platform}-${arch}/node-napi-v7.node`,
  'better-sqlite3/build/Release/better_sqlite3.node',
  'better-sqlite3/lib/index.js',
  'swagger-ui-dist/swagger-ui-bundle.js',
  'other/build/Release/obj/a.o',
  'other/treasure.map',
  '@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
  '@expo-google-fonts/inter/index.js',
  '@expo-google-fonts/noto-emoji/500Medium/NotoEmoji_500Medium.ttf',
  '@aws-sdk/client-s3/dist-cjs/index.js',
  'other/dist-es/index.js',
];

const REMOVED = [
  `uWebSockets.js/binaries/uws_${platform}_${arch}_108.node`,
  `uWebSockets.js/binaries/uws_${OTHER}_${arch}_115.node`,
  `uWebSockets.js/binaries/uws_${platform}_mips_115.node`,
  `uWebSockets.js/dist/uws_${platform}_${arch}_115.node`,
  `@julusian/jpeg-turbo/prebuilds/jpeg-turbo-${OTHER}-${arch}/node-napi-v7.node`,
  'better-sqlite3/deps/sqlite3/sqlite3.c',
  'better-sqlite3/build/Release/obj/a.o',
  'better-sqlite3/build/Release/sqlite3.a',
  'swagger-ui-dist/swagger-ui-bundle.js.map',
  'other/deep/down/index.d.ts.map',
  '@expo-google-fonts/inter/400Regular_Italic/Inter_400Regular_Italic.ttf',
  '@expo-google-fonts/inter/900Black/Inter_900Black.ttf',
  '@expo-google-fonts/noto-emoji/300Light/NotoEmoji_300Light.ttf',
  '@aws-sdk/client-s3/dist-es/index.js',
  '@smithy/core/dist-es/index.js',
];

t.test('an install keeps every file that can be loaded here, and only those of its binaries', async (t) => {
  const place = t.testdir({ 'a folder': {} });
  const root = join(place, 'a folder');
  for (const file of [...KEPT, ...REMOVED]) {
    mkdirSync(join(root, 'node_modules', dirname(file)), { recursive: true });
    writeFileSync(join(root, 'node_modules', file), '');
  }
  mkdirSync(join(root, 'server'));
  cpSync('server/trim-packages.mjs', join(root, 'server/trim-packages.mjs'));
  const trim = () => execFileSync(process.execPath, ['server/trim-packages.mjs'], { cwd: root, encoding: 'utf8' });
  t.equal(trim(), '', 'and says nothing');
  const files = readdirSync(join(root, 'node_modules'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, 'node_modules/').length));
  t.strictSame(files.sort(), [...KEPT].sort());
  t.equal(trim(), '', 'again, with nothing left to remove');
});

t.test('where nothing is installed it does nothing', async (t) => {
  const root = t.testdir({ server: {} });
  cpSync('server/trim-packages.mjs', join(root, 'server/trim-packages.mjs'));
  t.equal(execFileSync(process.execPath, [join(root, 'server/trim-packages.mjs')], { encoding: 'utf8' }), '');
});
