import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROUTES, type Route } from '@runcloud/protocol';
import t from 'tap';
import type { FacadeOptions } from '../../server/rest/facade.ts';
import type { HttpHead, HttpReply } from '../../server/socket/http.ts';
import { ManualClock } from '../account/manual-clock.ts';

/** Facts that tell readers of the document something, and callers' computers nothing. */
const FOR_THE_DOCUMENT = ['summary', 'description', 'internal', 'headers', 'body.schema', 'query.schema.$id'];

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The files of the service that have read each fact. */
const readers = new Map<string, Set<string>>();

/** Notes who reads a field of a route, and of its body, each time. */
function watch(holder: object, prefix: string): void {
  for (const [field, value] of Object.entries(holder)) {
    const name = prefix + field;
    readers.set(name, readers.get(name) ?? new Set());
    const isNested = name === 'body' || name === 'query';
    const given = isNested ? { ...value } : value;
    if (isNested) watch(given, `${name}.`);
    Object.defineProperty(holder, field, {
      get: () => {
        const [reader] = /server\/[\w/-]+\.ts/.exec(relative(ROOT, new Error().stack?.split('\n')[2] ?? '')) ?? [];
        if (reader !== undefined) readers.get(name)?.add(reader);
        return given;
      },
    });
  }
}

// Before anything of the service has read one.
for (const route of Object.values<Route>(ROUTES)) watch(route, '');
const { RestFacade } = await import('../../server/rest/facade.ts');
const { answerFault } = await import('../../server/rest/answer-check.ts');

const ORIGIN = 'https://a.example';

/** Services that let everybody do everything, and do nothing. */
const services: unknown = new Proxy(() => undefined, {
  get: (_target, name) => (name === 'ownOrigin' ? () => ORIGIN : name === 'then' ? undefined : services),
  apply: () => services,
});

t.test('every fact that a route declares is read by the code that serves it', async (t) => {
  const facade = new RestFacade({
    clock: new ManualClock(),
    commit: async (task) => task(),
    scheduler: { budgetOf: () => ({}), mayRunNow: () => true } as unknown as FacadeOptions['scheduler'],
    refusals: { hold: (reply: HttpReply) => reply } as FacadeOptions['refusals'],
    services: services as FacadeOptions['services'],
    authenticate: () => ({ accountId: 'acc_1', keyId: 'key_1' }) as ReturnType<FacadeOptions['authenticate']>,
    sessionToken: () => undefined,
    rateLimiter: () => undefined,
    keylessAllowance: () => undefined,
    notFoundPage: { status: 404, body: 'a page' },
    answerFault,
    refuseUpgrade: () => ({ status: 426, body: '' }),
    onAnswered: () => undefined,
    onFault: () => undefined,
  });
  const own: Readonly<Record<string, string>> = {
    'content-type': 'application/json',
    origin: ORIGIN,
    'x-runcloud-dashboard': '1',
  };
  for (const { method, path } of Object.values<Route>(ROUTES)) {
    const header = (name: string) => (path.endsWith('/assets') ? undefined : own[name]);
    const filled = path.replace('{platform}', 'ios').replaceAll(/\{\w+\}/g, 'x');
    const head = { method, path: filled, query: '', address: 'a', network: 'n', header };
    for (const body of ['{}', '{']) {
      const outcome = facade.begin(head as HttpHead);
      const answer = 'receive' in outcome ? outcome.receive(Buffer.from(body)) : outcome;
      // The answers do not matter here.
      if (answer instanceof Promise) answer.catch(() => undefined);
    }
  }
  for (const [name, files] of readers) {
    const serving = [...files].filter((file) => !file.includes('openapi'));
    if (!FOR_THE_DOCUMENT.includes(name)) t.not(serving.length, 0, `${name} is read by ${serving.join(', ')}`);
  }
  t.ok(readers.size > 15, [...readers.keys()].join(', '));
});
