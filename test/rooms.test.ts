import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import t from 'tap';

/** The rooms that each room may import, besides its own files. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  'server/flow': ['protocol'],
  'server/observe': ['server/flow'],
  'server/h264': [],
  // The service's code, bundled once: each program and thread starts by it.
  'server/code': ['client/build'],
  'server/archive': ['server/code'],
  // The interface of devices alone: the gateway knows devices by it.
  'server/device': ['protocol'],
  // The page that a device shows while it is certified: what it received, and how that is painted and read.
  'server/test-card': [],
  'server/phone': ['protocol', 'server/device', 'server/flow', 'server/test-card'],
  // Code that the drivers share; no driver imports another.
  'server/drivers': ['protocol', 'server/device', 'server/drivers/video', 'server/flow'],
  'server/drivers/process': ['server/device'],
  'server/drivers/video': ['protocol', 'server/device', 'server/h264'],
  'server/drivers/android': [
    'protocol',
    'server/device',
    'server/drivers',
    'server/drivers/process',
    'server/drivers/video',
    'server/flow',
    'server/h264',
  ],
  'server/drivers/ios': [
    'protocol',
    'server/device',
    'server/drivers',
    'server/drivers/process',
    'server/drivers/video',
    'server/flow',
    'server/h264',
  ],
  'server/drivers/virtual': ['protocol', 'server/device', 'server/drivers', 'server/flow', 'server/phone'],
  'server/link': ['protocol', 'server/device', 'server/flow', 'server/observe'],
  'server/capture': ['server/h264', 'server/link'],
  'server/host': [
    'protocol',
    'server/capture',
    'server/code',
    'server/device',
    'server/drivers',
    'server/drivers/android',
    'server/drivers/ios',
    'server/drivers/process',
    'server/drivers/virtual',
    'server/flow',
    'server/h264',
    'server/link',
  ],
  'server/finisher': ['server/capture', 'server/code', 'server/h264', 'server/link'],
  'server/packages': ['server/archive', 'server/code', 'server/device', 'server/drivers/process', 'server/link'],
  'server/store': ['protocol', 'server/code', 'server/flow', 'server/link'],
  // What the processes of a fleet have in common.
  'server/replica': ['server/flow', 'server/store'],
  'server/account': ['protocol', 'server/flow', 'server/store'],
  'server/snapshot': ['protocol', 'server/device', 'server/flow', 'server/store'],
  'server/asset': ['server/device', 'protocol', 'server/flow', 'server/link', 'server/store'],
  'server/interaction': ['server/device', 'protocol', 'server/flow', 'server/link', 'server/observe'],
  'server/screen': ['server/device', 'protocol', 'server/flow', 'server/link', 'server/observe'],
  // What was done in each session, written by a thread of its own.
  'server/history': ['protocol', 'server/code', 'server/flow', 'server/interaction', 'server/link', 'server/store'],
  'server/session': [
    'server/device',
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
  // One room for each socket library; neither imports the other.
  'server/socket/node': ['protocol', 'server/flow', 'server/socket'],
  'server/socket/uws': ['protocol', 'server/socket'],
  // Bytes of the control socket, read and written faster than a general codec does.
  'server/wire': ['protocol'],
  'server/pages': ['protocol', 'server/account', 'server/session', 'server/socket'],
  'server/rest': [
    'protocol',
    'server/account',
    'server/asset',
    'server/flow',
    'server/history',
    'server/interaction',
    'server/observe',
    'server/recording',
    'server/session',
    'server/snapshot',
    'server/socket',
    'server/wire',
  ],
  'server/control': [
    'protocol',
    'server/account',
    'server/flow',
    'server/history',
    'server/interaction',
    'server/observe',
    'server/recording',
    'server/rest',
    'server/screen',
    'server/session',
    'server/socket',
    'server/wire',
  ],
  // Edges and hosts on several machines.
  'server/fleet': [
    'protocol',
    'server/account',
    'server/asset',
    'server/flow',
    'server/observe',
    'server/recording',
    'server/rest',
    'server/session',
    'server/socket',
    'server/store',
  ],
  // Protocols of others: the gateway's side and the thread's.
  'server/translation': ['protocol', 'client/sdk', 'server/flow', 'server/link', 'server/rest', 'server/socket'],
  // Language models.
  'server/agents': [
    'protocol',
    'client/sdk',
    'server/code',
    'server/flow',
    'server/link',
    'server/rest',
    'server/translation',
  ],
  // The clients of WebDriver and Appium.
  'server/webdriver': [
    'protocol',
    'client/sdk',
    'server/code',
    'server/flow',
    'server/link',
    'server/rest',
    'server/translation',
  ],
  // It sees the service as its clients do.
  'server/certify': ['protocol', 'client/sdk', 'server/test-card'],
  'client/core': ['protocol'],
  'client/sdk': ['client/core', 'protocol'],
  // Files that say what a person does and sees: read, run, and made of a history.
  'client/flow': ['client/sdk', 'protocol'],
  'client/cli': ['client/flow', 'client/sdk', 'protocol'],
  'client/embed': ['client/sdk', 'client/core', 'protocol'],
  // Parts of the pages that the service serves.
  'client/page': ['protocol'],
  'client/viewer': ['client/embed', 'client/core', 'client/page', 'protocol'],
  'client/dashboard': ['protocol', 'client/page', 'client/viewer'],
  'client/reference': [],
  'client/build': ['protocol'],
};

/** They may import from every room: the composition root, in its two parts, and the bench. */
const ROOTS = ['server', 'server/wiring', 'bench'];

/** Packages and built-in modules that only these rooms may know. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  '@grpc/grpc-js': ['server/drivers/android', 'server/drivers/ios'],
  '@grpc/proto-loader': ['server/drivers/android', 'server/drivers/ios'],
  '@julusian/jpeg-turbo': ['server/finisher', 'server/host', 'bench'],
  '@nats-io/transport-node': ['server/fleet', 'bench'],
  '@napi-rs/canvas': ['server/drivers/virtual', 'server/phone'],
  '@xmldom/xmldom': ['server/drivers/android', 'server/webdriver'],
  '@yume-chan/adb': ['server/drivers/android'],
  '@yume-chan/adb-server-node-tcp': ['server/drivers/android'],
  '@yume-chan/scrcpy': ['server/drivers/android'],
  '@yume-chan/stream-extra': ['server/drivers/android'],
  '@modelcontextprotocol/server': ['server/agents'],
  appium: ['bench'],
  'better-sqlite3': ['server/store'],
  'cli-progress': ['client/cli'],
  commander: ['client/cli'],
  'env-paths': ['client/cli'],
  esbuild: ['server/code', 'server/pages', 'client/build'],
  fastify: ['bench'],
  mp4box: ['server/finisher'],
  msgpackr: ['protocol', 'bench', 'client/core', 'server/wire'],
  'node:child_process': [
    'server',
    'server/drivers/process',
    'server/packages',
    'server/link',
    'server/pages',
    'client/build',
    'client/cli',
    'bench',
  ],
  'node:worker_threads': [
    'server/agents',
    'server/code',
    'server/finisher',
    'server/history',
    'server/link',
    'server/host',
    'server/packages',
    'server/store',
    'server/webdriver',
    'server/wiring',
    'bench',
  ],
  'node-av': ['server/capture', 'server/certify', 'server/drivers/video', 'server/finisher', 'server/host', 'bench'],
  pg: ['server/replica'],
  pino: ['server/observe', 'server', 'server/wiring'],
  plist: ['server/packages', 'server/drivers/ios'],
  'prom-client': ['server/observe'],
  react: ['client/embed'],
  'playwright-core': ['bench'],
  sharp: ['server/certify', 'server/drivers/virtual', 'server/host', 'server/packages', 'server/webdriver', 'bench'],
  'socket.io': ['bench'],
  'swagger-ui-dist': ['client/reference'],
  tinyh264: ['client/viewer'],
  'uWebSockets.js': ['server/socket/uws', 'bench'],
  ws: ['bench', 'client/sdk', 'server/drivers/ios', 'server/socket/node'],
  yauzl: ['server/archive'],
};

const LINES_MAX = 450;
/** Of all lines that are no tests. */
const ROOM_SHARE_MAX = 0.17;

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Whether a call of `import()` loads it, when it is needed. */
  readonly isLater: boolean;
  /** Gone when the file runs. */
  readonly typeOnly: boolean;
}

const files = ['protocol', 'server', 'client', 'bench']
  .flatMap((top) => readdirSync(top, { recursive: true, encoding: 'utf8' }).map((name) => join(top, name)))
  .filter((name) => /\.(tsx?|mjs)$/.test(name) && !/node_modules|^client\/(?:dist|examples)\//.test(name));

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const found = text.matchAll(
    /^(?:import|export)\s(type\s)?[^'"]*?from\s+['"]([^'"]+)['"]|import(\(?)\s*['"]([^'"]+)['"]/gm,
  );
  return [...found].map(([, type, from, call, bare]) => ({
    file,
    specifier: from ?? bare ?? '',
    typeOnly: type !== undefined,
    isLater: call === '(',
  }));
}

function roomOf(file: string): string {
  const inner = Object.keys(ROOMS).find((room) => room.split('/').length > 2 && file.startsWith(`${room}/`));
  if (inner !== undefined) return inner;
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
      if (found.file !== file || found.typeOnly || found.isLater) continue;
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
    if (room === undefined || room === from || ROOTS.includes(from)) continue;
    t.ok(ROOMS[from], `${from} stands in the table`);
    t.ok(ROOMS[from]?.includes(room), `${found.file} imports from ${room}`);
  }
  t.end();
});

t.test('every import that the table allows is in use, and points to a room below', (t) => {
  const used = new Set(imports.map((found) => `${roomOf(found.file)} ${targetOf(found).room}`));
  const seen = new Set<string>();
  for (const [room, others] of Object.entries(ROOMS)) {
    for (const other of others) t.ok(used.has(`${room} ${other}`), `${room} imports from ${other}`);
  }
  // A room is on a floor as soon as all that it uses is below: with a circle, some room never is.
  for (let count = -1; count !== seen.size; ) {
    count = seen.size;
    for (const [room, others] of Object.entries(ROOMS)) if (others.every((other) => seen.has(other))) seen.add(room);
  }
  t.same(
    Object.keys(ROOMS).filter((room) => !seen.has(room)),
    [],
  );
  t.end();
});

t.test('no room is larger than a newcomer can learn', (t) => {
  const lines = new Map<string, number>();
  for (const file of files) {
    const room = roomOf(file);
    lines.set(room, (lines.get(room) ?? 0) + readFileSync(file, 'utf8').split('\n').length);
  }
  const all = [...lines.values()].reduce((sum, count) => sum + count);
  for (const [room, count] of lines)
    t.ok(count / all <= ROOM_SHARE_MAX, `${room}: ${((count / all) * 100).toFixed(1)} %`);
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

t.test('threads and programs that check no client messages start without the schemas', (t) => {
  for (const entry of [
    'server/host/worker.ts',
    'server/drivers/android/android-driver.ts',
    'server/drivers/android/attached/attached-driver.ts',
    'server/drivers/ios/ios-driver.ts',
    'server/finisher/worker.ts',
    'server/packages/package-thread.ts',
    'server/admin.ts',
  ]) {
    const packages = packagesOf(entry);
    t.ok(packages.size > 3, `${entry} loads ${[...packages].join(', ')}`);
    t.notOk(packages.has('@sinclair/typebox'), entry);
  }
  t.ok(packagesOf('server/main.ts').has('@sinclair/typebox'), 'the gateway has them');
  t.end();
});

t.test('the gateway neither decodes nor encodes pictures: it loads no codec', (t) => {
  const codecs = ['node-av', '@julusian/jpeg-turbo', 'sharp', 'mp4box', '@napi-rs/canvas'];
  const gateway = packagesOf('server/main.ts');
  for (const codec of codecs) t.notOk(gateway.has(codec), codec);
  const finisher = packagesOf('server/finisher/worker.ts');
  for (const codec of ['node-av', '@julusian/jpeg-turbo']) t.ok(finisher.has(codec), `the finisher has ${codec}`);
  t.end();
});

t.test('code for browsers imports no module of Node.js', (t) => {
  // One file of the SDK is for Node.js, and so is its entry; the command line, its flows and the build are.
  const forNode = /^client\/(cli|flow|build)\/|^client\/sdk\/(node-socket|index)\.ts$/;
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
