import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pack } from 'msgpackr';
import t, { type Test } from 'tap';
import { WebSocketServer } from 'ws';
import { commandLine, type Finished } from '../../support/command-line.ts';
import { RIGHT_COMMANDS } from '../../support/right-commands.ts';

/** A title, colours and a cleared screen by C0 and by C1, a forged line, turned directions, and what is not seen. */
const HOSTILE =
  '\u001b]0;owned\u0007\u001b[2J\u009b31m\u009dx\u009c\r\nforged line\b\u007f\u202e\u2066\u200b\u200f\ufeff\u00ad\u2028\u3164\u{e0041}\ufe0f';
const evil = (text: string): string => `${HOSTILE}${text}${HOSTILE}`;

const SHORT = { answerMs: 3_000, workMs: 3_000, createMs: 3_000, connectMs: 1_000, graceMs: 300, silenceMs: 1_000 };
const SESSION = {
  id: 'ses_1',
  platform: 'ios',
  status: evil('active'),
  device: { id: evil('d'), model: evil('model'), osVersion: evil('17') },
  labels: { [evil('name')]: evil('value') },
  url: `https://a.example/${HOSTILE}`,
};
const RECORDING = {
  id: evil('rec'),
  status: evil('failed'),
  createdAt: evil('now'),
  durationMs: 5,
  failure: { code: evil('code'), message: evil('message') },
  events: [{ at: evil('at'), type: evil('type'), status: evil('status') }],
};
const ASSET = {
  id: evil('ast'),
  platform: evil('ios'),
  name: evil('name'),
  identifier: evil('i'),
  version: evil('1'),
  byteSize: 5,
};
const KEY = {
  id: evil('key'),
  name: evil('name'),
  key: evil('secret'),
  expiresAt: evil('never'),
  lastUsedAt: evil('now'),
};
const TOKEN = {
  id: evil('tok'),
  client: evil('program'),
  deviceName: evil('laptop'),
  createdAt: evil('now'),
  lastUsedAt: evil('now'),
};
const LINK = {
  id: evil('lnk'),
  role: evil('view'),
  expiresAt: evil('soon'),
  embedOrigin: evil('https://a.example'),
  url: SESSION.url,
};
const LOG_ENTRY = {
  seq: 1,
  at: evil('now'),
  level: evil('error'),
  process: evil('app'),
  text: evil('said'),
};
const SNAPSHOT = {
  name: evil('signed-in'),
  platform: evil('ios'),
  model: evil('model'),
  sessionId: evil('s'),
  byteSize: 5,
  createdAt: evil('now'),
};
const FILE = { name: evil('a.txt'), kind: evil('file'), byteSize: 5, modifiedAt: evil('2026-11-28') };
const ACKNOWLEDGEMENT = {
  ok: true,
  requestId: evil('r'),
  action: evil('tap'),
  status: 'completed',
  durationMs: evil('1'),
};

/** The answer of each path, with a hostile text in every field that can have one. */
function answerOf(method: string, path: string, body: string): object {
  if (path.startsWith('/service/sessions/') && path.includes('viewer-links'))
    return method === 'GET' ? { viewerLinks: [LINK, LINK] } : LINK;
  if (path.startsWith('/service/sessions/')) return SESSION;
  if (path.startsWith('/service/sessions')) return method === 'POST' ? SESSION : { sessions: [SESSION, SESSION] };
  if (path.startsWith('/service/account/keys')) return method === 'GET' ? { keys: [KEY, KEY] } : KEY;
  if (path.startsWith('/service/account/tokens')) return { tokens: [TOKEN, TOKEN] };
  if (path === '/service/account') {
    return {
      id: evil('acc'),
      organizationId: evil('org'),
      name: evil('me'),
      email: evil('@'),
      credential: { kind: 'key', id: evil('k') },
    };
  }
  if (path === '/service/hosts') {
    const devices = [{ platform: 'ios', model: evil('phone'), osVersion: '1', driver: evil('d'), total: 2, free: 1 }];
    return { hosts: [{ name: evil('mac-1'), state: evil('here'), isDraining: false, sessions: 1, devices }] };
  }
  if (path === '/service/doctor') {
    return { findings: [{ what: evil('adb'), state: evil('ready'), detail: evil('here'), fix: evil('nothing') }] };
  }
  if (path.startsWith('/service/assets')) return method === 'GET' ? { assets: [ASSET, ASSET] } : ASSET;
  if (path.endsWith('/recordings')) return method === 'GET' ? { recordings: [RECORDING, RECORDING] } : RECORDING;
  if (path.includes('/recordings/')) return RECORDING;
  if (path.endsWith('/media')) return { name: evil('beach.jpg'), mediaType: evil('image/jpeg'), readBack: true };
  if (path.includes('/files')) return { path: evil('a.txt'), byteSize: 5, kind: evil('file'), entries: [FILE, FILE] };
  if (path.includes('/logs')) return { entries: [LOG_ENTRY, LOG_ENTRY], next: 2, more: false };
  if (path.includes('/snapshots')) return method === 'GET' ? { snapshots: [SNAPSHOT, SNAPSHOT] } : SNAPSHOT;
  if (path.endsWith('/clipboard')) return { text: evil('copied'), truncated: true };
  if (path.endsWith('/open-url'))
    return { ok: true, device: evil('device'), url: JSON.parse(body).url, leaseId: evil('l') };
  return ACKNOWLEDGEMENT;
}

const FAILURE = {
  ok: false,
  requestId: evil('r'),
  sessionId: evil('s'),
  platform: evil('p'),
  action: evil('a'),
  status: evil('failed'),
  [evil('field')]: { [evil('deep')]: [evil('text')] },
  error: { code: evil('code'), message: evil('message'), retryable: false, action: evil('do') },
};

async function startHostileService(t: Test, manner: 'answers' | 'fails') {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method = '', url: path = '' } = request;
      const told = manner === 'fails' ? FAILURE : answerOf(method, path, Buffer.concat(parts).toString());
      const status = manner === 'fails' ? 400 : 200;
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(told));
    });
  });
  const sockets = new WebSocketServer({ server, handleProtocols: () => 'runcloud.v1' });
  sockets.on('connection', (socket) => {
    const say = (message: object) => socket.send(pack(message));
    const capabilities = { actions: [evil('tap')], openUrl: true };
    say({ type: 'ready', role: 'control', session: SESSION, capabilities, serverTimeUs: 1 });
    setTimeout(() => {
      say({ type: 'event', event: evil('orientation'), [evil('key')]: { orientation: evil('up') } });
      say({ type: 'event', event: 'session.ended', reason: evil('reason') });
      setTimeout(() => socket.close(4404), 100);
    }, 100);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Every byte that is printed is text of one that is seen, or the end of a line; no line is forged. */
function judge(t: Test, { stdout, stderr, bytes }: Finished, name: string): void {
  t.ok(Buffer.from(stdout).equals(bytes), `${name}: standard output is UTF-8`);
  for (const text of [stdout, stderr]) {
    const unseen = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\ufffd]/u.exec(text);
    t.equal(unseen, null, `${name}: ${JSON.stringify(text)}`);
    t.notMatch(text, /^\s*forged/m, name);
  }
}

const steps = '[{"phase":"begin","points":[{"x":0,"y":0}]},{"phase":"end","points":[{"x":0,"y":0}]}]';

for (const manner of ['answers', 'fails'] as const) {
  for (const more of [[], ['--json']] as const) {
    t.test(`a terminal obeys nothing that a service ${manner} with ${more.join('')}`, async (t) => {
      const RUNCLOUD_BASE_URL = await startHostileService(t, manner);
      // Colours are this program's own control characters.
      const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_SESSION: 'ses_1', RUNCLOUD_BASE_URL, NO_COLOR: '1' };
      const stateFolder = join(t.testdir({}), 'state');
      const addressed = ['open-url', 'https://a.example/\u202e\u2028\u{e0041}'];
      const commands = [...RIGHT_COMMANDS, addressed, ['doctor'], ['hosts'], ['logout'], ['login', '--no-browser']];
      let printed = 0;
      for (const args of commands) {
        const stdin = args[0] === 'run' ? '{"action":"tap","x":0,"y":0,"timeoutMs":100}\n' : steps;
        const isShort = ['screenshot'].includes(args[0] ?? '') ? ['--timeout', '500ms'] : [];
        const all = [...args, ...more, ...isShort];
        // A progress bar is this program's own; it shows nothing that a service said.
        const isErrorTerminal =
          !['app', 'media'].includes(args[0] ?? '') && args.slice(0, 2).join(' ') !== 'files push';
        const streams = { isTerminal: true, isErrorTerminal };
        const finished = await commandLine(all, { env, stdin, stateFolder, bounds: SHORT, ...streams });
        judge(t, finished, all.join(' ').replace(/[^ -~]/gu, '?'));
        if (finished.stdout.includes('owned') || finished.stderr.includes('owned')) printed += 1;
      }
      t.ok(printed > 20, `${printed} commands printed what they were told`);
    });
  }
}

const COLOR = new RegExp(`${String.fromCharCode(0x1b)}\\[(?:1|2|22|31|32|33|36|39)m`);

t.test('colours are the only control characters of a terminal that shows them', async (t) => {
  const RUNCLOUD_BASE_URL = await startHostileService(t, 'answers');
  const stateFolder = join(t.testdir({}), 'state');
  const shown = async (args: readonly string[], more: object) => {
    const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_SESSION: 'ses_1', RUNCLOUD_BASE_URL, ...more };
    const { stdout } = await commandLine(args, { env, stateFolder, isTerminal: true });
    return stdout;
  };
  for (const args of [
    ['account'],
    ['session', 'get'],
    ['keys', 'list'],
    ['record', 'status', 'rec_1'],
    ['doctor'],
    ['hosts'],
  ]) {
    const colored = await shown(args, {});
    const pieces = colored.split(COLOR);
    t.ok(pieces.length > 2, args.join(' '));
    t.equal(pieces.join(''), await shown(args, { NO_COLOR: '1' }));
  }
});

t.test('programs get the very same texts', async (t) => {
  const RUNCLOUD_BASE_URL = await startHostileService(t, 'answers');
  const env = { RUNCLOUD_API_KEY: 'a-key', RUNCLOUD_BASE_URL };
  const about = { env, stateFolder: join(t.testdir({}), 'state') };
  const { url: _url, ...shown } = SESSION;
  const { stdout } = await commandLine(['session', 'list', '--json'], about);
  t.match(JSON.parse(stdout), { sessions: [shown, shown] });
  const failing = await startHostileService(t, 'fails');
  const failed = await commandLine(['account'], { ...about, env: { ...env, RUNCLOUD_BASE_URL: failing } });
  t.match(JSON.parse(failed.stderr), { error: FAILURE.error, requestId: FAILURE.requestId });
});
