import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import t from 'tap';

/** Who may import whom: a room's files import each other, and what stands here. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  'server/flow': ['protocol'],
  'server/observe': ['server/flow'],
  // The files that say what a device is and what can be installed on it; the gateway knows devices by them alone.
  'device interface': ['protocol'],
  'server/archive': [],
  'server/device': ['device interface', 'protocol', 'server/archive', 'server/flow'],
  'server/link': ['device interface', 'protocol', 'server/flow', 'server/observe'],
  'server/host': ['device interface', 'protocol', 'server/archive', 'server/device', 'server/flow', 'server/link'],
  'server/store': ['protocol', 'server/flow', 'server/link'],
  'server/account': ['protocol', 'server/flow', 'server/observe', 'server/store'],
  'server/asset': ['device interface', 'protocol', 'server/flow', 'server/link', 'server/store'],
  'server/interaction': ['device interface', 'protocol', 'server/flow', 'server/link', 'server/observe'],
  'server/screen': ['device interface', 'protocol', 'server/flow', 'server/link', 'server/observe'],
  'server/session': [
    'device interface',
    'protocol',
    'server/account',
    'server/flow',
    'server/interaction',
    'server/link',
    'server/observe',
    'server/screen',
    'server/store',
  ],
  'server/recording': ['protocol', 'server/flow', 'server/link', 'server/observe', 'server/store'],
  'server/socket': ['protocol', 'server/flow'],
  'server/viewer': ['protocol', 'server/account', 'server/session', 'server/socket'],
  'server/rest': [
    'protocol',
    'server/account',
    'server/asset',
    'server/flow',
    'server/interaction',
    'server/observe',
    'server/recording',
    'server/session',
    'server/socket',
  ],
  'server/control': [
    'device interface',
    'protocol',
    'server/account',
    'server/flow',
    'server/interaction',
    'server/observe',
    'server/recording',
    'server/rest',
    'server/screen',
    'server/session',
    'server/socket',
  ],
  'client/wire': ['protocol'],
  'client/sdk': ['client/wire', 'protocol'],
  'client/cli': ['client/sdk', 'protocol'],
  'client/embed': ['client/sdk', 'client/wire', 'protocol'],
  'client/viewer': ['client/embed', 'client/wire', 'protocol'],
  'client/dashboard': ['protocol', 'client/viewer'],
  'client/build': ['protocol'],
};

/** Packages and built-in modules that only these rooms may know; `server` is the composition root. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '@grpc/grpc-js': ['server/device'],
  '@grpc/proto-loader': ['server/device'],
  '@julusian/jpeg-turbo': ['server/host', 'bench'],
  '@napi-rs/canvas': ['server/device'],
  '@yume-chan/adb': ['server/device'],
  '@yume-chan/adb-server-node-tcp': ['server/device'],
  '@yume-chan/stream-extra': ['server/device'],
  appium: ['bench'],
  'better-sqlite3': ['server/store'],
  'cli-progress': ['client/cli'],
  commander: ['client/cli'],
  'env-paths': ['client/cli'],
  esbuild: ['server/viewer', 'client/build'],
  fastify: ['bench'],
  mp4box: ['server/host'],
  msgpackr: ['protocol', 'bench', 'client/wire'],
  'node:child_process': ['server/device', 'server/link', 'server/viewer', 'client/build', 'client/cli', 'bench'],
  'node:worker_threads': ['server/link', 'server/host', 'server/store', 'server', 'bench'],
  'node-av': ['server/device', 'server/host', 'bench'],
  pino: ['server/observe', 'server'],
  plist: ['server/host'],
  'prom-client': ['server/observe'],
  react: ['client/embed'],
  'playwright-core': ['bench'],
  sharp: ['server/host', 'bench'],
  'socket.io': ['bench'],
  tinyh264: ['client/viewer'],
  'uWebSockets.js': ['server/socket', 'bench'],
  ws: ['bench', 'client/sdk', 'server/device'],
  yauzl: ['server/archive'],
};

const DEVICE_INTERFACE = ['app-package', 'driver', 'fault', 'handlers', 'target'].map(
  (name) => `server/device/${name}.ts`,
);

const LINES_MAX = 450;

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Gone when the file runs. */
  readonly typeOnly: boolean;
}

const files = ['protocol', 'server', 'client', 'bench']
  .flatMap((top) => readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)))
  .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/node_modules|^client\/dist\//.test(name));

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]|import\(?\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, type, from, bare]) => ({
    file,
    specifier: from ?? bare ?? '',
    typeOnly: type !== undefined,
  }));
}

function roomOf(file: string): string {
  if (DEVICE_INTERFACE.includes(file)) return 'device interface';
  const [top = '', second = ''] = file.split('/');
  return (top === 'server' || top === 'client') && !second.includes('.') ? `${top}/${second}` : top;
}

/** The room or package that a specifier names. */
function targetOf({ file, specifier }: Import): { readonly room?: string; readonly part?: string } {
  if (specifier in PROTOCOL) return { room: 'protocol' };
  if (specifier.startsWith('.')) return { room: roomOf(relative('.', join(dirname(file), specifier))) };
  return {
    part: specifier.startsWith('@') ? specifier.split('/').slice(0, 2).join('/') : (specifier.split('/')[0] ?? ''),
  };
}

/** The entries of the protocol, by how others name them. */
const PROTOCOL: Readonly<Record<string, string>> = {
  '@runcloud/protocol': 'protocol/index.ts',
  '@runcloud/protocol/terms': 'protocol/terms.ts',
};

const imports = files.flatMap(importsOf);

/** The packages that are loaded when `entry` is started, and all that it imports with it. */
function packagesOf(entry: string): Set<string> {
  const reached = new Set([entry]);
  const packages = new Set<string>();
  for (const file of reached) {
    for (const found of imports) {
      if (found.file !== file || found.typeOnly) continue;
      const { specifier } = found;
      const { part } = targetOf(found);
      if (part !== undefined) packages.add(part);
      else reached.add(PROTOCOL[specifier] ?? relative('.', join(dirname(file), specifier)));
    }
  }
  return packages;
}

t.test('every room imports only what the table allows', (t) => {
  for (const found of imports) {
    const from = roomOf(found.file);
    const { room } = targetOf(found);
    if (room === undefined || room === from || from === 'server' || from === 'bench') continue;
    t.ok(ROOMS[from], `${from} stands in the table`);
    t.ok(ROOMS[from]?.includes(room), `${found.file} imports from ${room}`);
  }
  t.end();
});

t.test('every part is known to its own rooms alone', (t) => {
  for (const found of imports) {
    const { part } = targetOf(found);
    const rooms = part === undefined ? undefined : PARTS[isBuiltin(part) ? `node:${part.replace('node:', '')}` : part];
    if (rooms) t.ok(rooms.includes(roomOf(found.file)), `${found.file} imports ${part}`);
  }
  t.end();
});

t.test('the contract runs anywhere: it imports no module of Node.js', (t) => {
  for (const { file, specifier } of imports) {
    if (file.startsWith('protocol/')) t.notOk(isBuiltin(specifier), `${file} imports ${specifier}`);
  }
  t.end();
});

t.test('what checks no message of a client starts without the schemas', (t) => {
  for (const entry of [
    'server/host/worker.ts',
    'server/host/finishing/worker.ts',
    'server/host/package-thread.ts',
    'server/admin.ts',
  ]) {
    const packages = packagesOf(entry);
    t.ok(packages.size > 3, `${entry} loads ${[...packages].join(', ')}`);
    t.notOk(packages.has('@sinclair/typebox'), entry);
  }
  t.ok(packagesOf('server/main.ts').has('@sinclair/typebox'), 'the gateway has them');
  t.end();
});

t.test('what runs in browsers imports no module of Node.js', (t) => {
  // One file of the SDK is for Node.js, and so is its entry; the command line and the build are.
  const forNode = /^client\/(cli|build)\/|^client\/sdk\/(node-socket|index)\.ts$/;
  for (const { file, specifier } of imports) {
    if (!file.startsWith('client/') || forNode.test(file)) continue;
    t.notOk(isBuiltin(specifier) || specifier === 'ws', `${file} imports ${specifier}`);
  }
  t.end();
});

t.test('no file is so long that it must have two reasons to change', (t) => {
  for (const file of files) t.ok(readFileSync(file, 'utf8').split('\n').length <= LINES_MAX, file);
  t.end();
});

t.test('the table describes the tree: every room in it has files, and the walk found imports', (t) => {
  const rooms = new Set(files.map(roomOf));
  for (const room of Object.keys(ROOMS)) t.ok(rooms.has(room), room);
  t.ok(imports.length > 300, `${imports.length} imports`);
  t.end();
});
