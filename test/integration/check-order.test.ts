import type { ErrorCode } from '@runcloud/protocol';
import t from 'tap';
import { envelopeFault, sentenceOf } from '../support/envelope.ts';
import { startServer } from '../support/server.ts';

/** Authentication, route, session, validation, platform capability, duplicate, capacity: the first that fails answers. */

const server = await startServer({ RUNCLOUD_DEVICES: 'virtual-ios:1' });
const session = await server.rest.createSession('ios');
t.teardown(() => server.close());

const HERE = `/service/ios/${session.id}/interactions`;
const NOWHERE = '/service/ios/ses_0123456789ABCDEFGHIJKL/interactions';
const RIGHT = { action: 'tap', x: 0.5, y: 0.5 };
const JSON_TYPE = { 'Content-Type': 'application/json' };
await server.rest.call('POST', HERE, { requestId: 'used', ...RIGHT });

interface Case {
  readonly path: string;
  readonly method?: string;
  readonly body: unknown;
  readonly anonymous?: true;
}

const ORDER: readonly (readonly [string, ErrorCode, Case])[] = [
  [
    'no key, no such route, a bad body',
    'authentication_required',
    { path: '/service/nothing', body: 'x', anonymous: true },
  ],
  ['no key, a wrong method', 'authentication_required', { path: HERE, method: 'PUT', body: RIGHT, anonymous: true }],
  ['no key, no such session', 'authentication_required', { path: NOWHERE, body: RIGHT, anonymous: true }],
  ['no such route, a bad body', 'not_found', { path: `${NOWHERE}/x/y`, body: 'x' }],
  ['a wrong method, no such session', 'method_not_allowed', { path: NOWHERE, method: 'PUT', body: RIGHT }],
  ['no such session, a bad body', 'active_session_not_found', { path: NOWHERE, body: { action: 'dance' } }],
  [
    'no such session, an unsupported action',
    'active_session_not_found',
    { path: NOWHERE, body: { action: 'rotateDigitalCrown', delta: 1 } },
  ],
  [
    'no such session, a bad request id to cancel',
    'active_session_not_found',
    { path: `${NOWHERE}/!!`, method: 'DELETE', body: undefined },
  ],
  [
    'a bad field in an unsupported action',
    'invalid_interaction',
    { path: HERE, body: { action: 'rotateDigitalCrown', delta: 0 } },
  ],
  [
    'a bad field under a used id',
    'invalid_interaction',
    { path: HERE, body: { requestId: 'used', action: 'tap', x: 2, y: 0 } },
  ],
  [
    'an unsupported action under a used id',
    'unsupported_action',
    { path: HERE, body: { requestId: 'used', action: 'pressButton', button: 'back' } },
  ],
  [
    'a used id with another body',
    'duplicate_request',
    { path: HERE, body: { requestId: 'used', action: 'tap', x: 0.1, y: 0.1 } },
  ],
  [
    'a bad session request when no device is free',
    'invalid_session_request',
    { path: '/service/sessions', body: { platform: 'ios', hardTimeout: '1s' } },
  ],
  [
    'an unknown model when no device is free',
    'invalid_session_request',
    { path: '/service/sessions', body: { platform: 'ios', deviceModel: 'Abacus' } },
  ],
  [
    'a good session request when no device is free',
    'simulator_capacity_unavailable',
    { path: '/service/sessions', body: { platform: 'ios' } },
  ],
  [
    'a platform that this host has no device of',
    'simulator_capacity_unavailable',
    { path: '/service/sessions', body: { platform: 'android' } },
  ],
];

for (const [name, code, { path, method = 'POST', body, anonymous }] of ORDER) {
  t.test(`${name}: ${code}`, async (t) => {
    const init = { method, ...(body === undefined ? {} : { headers: JSON_TYPE, body: JSON.stringify(body) }) };
    const response = await (anonymous ? fetch(`${server.url}${path}`, init) : server.rest.fetch(path, init));
    t.equal(envelopeFault(code, response.status, await response.text()), undefined);
  });
}

t.test('a validation sentence names the field by its path and tells what is allowed', async (t) => {
  const sentences: readonly (readonly [string, unknown, RegExp])[] = [
    [HERE, { action: 'swipe', from: { x: 0, y: 2 }, to: { x: 0, y: 0 } }, /"from\.y" must be a number from 0 to 1/],
    [HERE, { action: 'tap', x: 0, y: 0, timeoutMs: 60_001 }, /"timeoutMs" must be a whole number from 100 to 60000/],
    [HERE, { action: 'pressKey', key: 'a', modifiers: ['hyper'] }, /"modifiers/],
    [HERE, { action: 'typeText', text: 'é' }, /"text"/],
    ['/service/sessions', { platform: 'ios', labels: { 'a b': 'c' } }, /"labels/],
    ['/service/sessions', { platform: 'ios', embedOrigins: ['https://x.example/path'] }, /"embedOrigins\[0\]"/],
    ['/service/sessions', { platform: 'windows' }, /"platform" must be one of ios, android/],
    ['/service/sessions', { platform: 'ios', accountId: 'acc_1' }, /"accountId" is not a known field/],
  ];
  for (const [path, body, sentence] of sentences) {
    const response = await server.rest.fetch(path, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) });
    const text = await response.text();
    t.equal(response.status, 400);
    t.match(sentenceOf(text), sentence);
  }
});

t.test('a failure names what the request named: its id, session, platform and action', async (t) => {
  const { body } = await server.rest.call('POST', HERE, { requestId: 'named', action: 'tap', x: 2, y: 0 });
  t.match(body, { requestId: 'named', sessionId: session.id, platform: 'ios', action: 'tap' });
  const cancel = await server.rest.call('DELETE', `${NOWHERE}/the-one`);
  t.match(cancel.body, { requestId: 'the-one', platform: 'ios', sessionId: 'ses_0123456789ABCDEFGHIJKL' });
  const shot = await server.rest.fetch(NOWHERE.replace('interactions', 'screenshot'), {
    headers: { 'X-Service-Request-ID': 'shot 1' },
  });
  t.match(await shot.json(), { requestId: 'shot 1', action: 'screenshot' });
});
