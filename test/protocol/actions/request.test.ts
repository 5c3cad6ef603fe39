import fc from 'fast-check';
import t from 'tap';
import { ACTION_NAMES, ACTIONS, type ActionName, type AnyAction } from '../../../protocol/index.ts';
import { accept, check, NOT_WHOLE, refuse } from '../checks.ts';
import { anyInteraction } from '../requests.ts';

const schemaOf = (name: ActionName): AnyAction['schema'] => ACTIONS[name].schema;
const tap = { action: 'tap', x: 0.5, y: 0.5 };

t.test('the actions are those of the specification', async (t) => {
  t.same(ACTION_NAMES, [
    'tap',
    'tapElement',
    'swipe',
    'gesture',
    'typeText',
    'insertText',
    'pressKey',
    'pressButton',
    'rotate',
    'reload',
    'scroll',
    'scrollTo',
    'toggleSoftwareKeyboard',
    'simulateMemoryWarning',
    'rotateDigitalCrown',
    'setRenderDebug',
    'listApps',
    'launchApp',
    'terminateApp',
    'clearAppData',
    'installApp',
    'uninstallApp',
    'setPermission',
    'sendPush',
    'authenticateBiometric',
    'setLocation',
    'clearLocation',
    'followRoute',
    'readLocation',
    'configureDevice',
    'resetDevice',
  ]);
});

t.test('an unknown action is refused with the list of actions', async (t) => {
  for (const action of [
    '',
    'Tap',
    'doubleTap',
    'screenshot',
    'constructor',
    '__proto__',
    'toString',
    1,
    null,
    ['tap'],
  ]) {
    t.match(refuse({ action }, 'action', t).message, /^must be one of tap, tapElement, .*, resetDevice$/);
  }
  t.match(refuse({}, 'action', t).message, /^is required: one of tap,/);
});

t.test('a body is one flat object', async (t) => {
  for (const body of [undefined, null, 1, 'tap', true, [tap]]) {
    t.equal(refuse(body, '', t).message, 'must be one flat object');
  }
});

t.test('a request id has 1 to 128 characters', async (t) => {
  for (const count of [1, 2, 127, 128])
    t.match(accept({ ...tap, requestId: 'r'.repeat(count) }), { timeoutMs: 15_000 });
  for (const count of [0, 129, 10_000]) refuse({ ...tap, requestId: 'r'.repeat(count) }, 'requestId', t);
});

t.test('a request id is made of letters, digits, dot, underscore, colon and hyphen', async (t) => {
  const allowed = /^[A-Za-z0-9._:-]$/;
  for (let code = 0; code <= 0x2ff; code++) {
    const requestId = String.fromCharCode(code);
    if (allowed.test(requestId))
      t.match(accept({ ...tap, requestId: `a${requestId}` }), { requestId: `a${requestId}` });
    else
      for (const id of [requestId, `a${requestId}b`, `a${requestId}`])
        refuse({ ...tap, requestId: id }, 'requestId', t);
  }
  for (const requestId of [1, null, true, ['r'], {}, '\u{1f600}', '\u2028']) {
    refuse({ ...tap, requestId }, 'requestId', t);
  }
});

t.test('a request without an id is given one; a given id is kept', async (t) => {
  t.equal(accept(tap).requestId, 'made');
  t.equal(accept({ ...tap, requestId: 'mine' }).requestId, 'mine');
});

t.test('a timeout is a whole number from 100 to 60,000 ms, 15,000 by default', async (t) => {
  t.equal(accept(tap).timeoutMs, 15_000);
  for (const timeoutMs of [100, 101, 59_999, 60_000]) t.equal(accept({ ...tap, timeoutMs }).timeoutMs, timeoutMs);
  for (const timeoutMs of [99, 60_001, 0, -100, ...NOT_WHOLE.filter((value) => value !== '100'), '100']) {
    t.equal(refuse({ ...tap, timeoutMs }, 'timeoutMs', t).message, 'must be a whole number from 100 to 60000');
  }
});

t.test('the fields of an action are refused on every other one that lacks them', async (t) => {
  const fieldsOf = (name: keyof typeof ACTIONS): string[] => Object.keys(ACTIONS[name].schema.properties);
  const every = new Set(ACTION_NAMES.flatMap(fieldsOf));
  for (const name of ACTION_NAMES) {
    for (const field of every) {
      if (fieldsOf(name).includes(field)) continue;
      const fault = ACTIONS[name].check({
        ...fc.sample(anyInteraction(name), { seed: 1, numRuns: 1 })[0],
        [field]: 1,
      });
      t.equal(fault?.path, field, `${name} does not take ${field}`);
    }
  }
});

t.test('every valid request is accepted, and completing it again changes nothing', async () => {
  fc.assert(
    fc.property(anyInteraction(), (body) => {
      const once = accept(body);
      const twice = accept(once as unknown as Record<string, unknown>);
      return JSON.stringify(once) === JSON.stringify(twice);
    }),
    { numRuns: 1_000 },
  );
});

t.test('checking a request leaves it as it was', async () => {
  fc.assert(
    fc.property(anyInteraction(), (body) => {
      const before = JSON.stringify(body);
      accept(body);
      return JSON.stringify(body) === before;
    }),
  );
});

t.test('any single unknown field is refused by its name', async () => {
  fc.assert(
    fc.property(anyInteraction(), fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue(), (body, name, value) => {
      fc.pre(!(name in schemaOf(body.action).properties));
      const checked = check(Object.defineProperty({ ...body }, name, { value, enumerable: true }));
      return !checked.ok && checked.fault.message.startsWith('is not a known field');
    }),
    { numRuns: 1_000 },
  );
});

t.test('a hostile name is refused like any other', async (t) => {
  const hostile: unknown = JSON.parse('{"action":"tap","x":0,"y":0,"__proto__":{"polluted":true}}');
  refuse(hostile, '__proto__', t);
  for (const name of ['constructor', 'prototype', 'toString', 'hasOwnProperty']) refuse({ ...tap, [name]: 1 }, name, t);
  t.notOk('polluted' in {});
});

t.test('any value at all is answered without throwing', async () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withTypedArray: true, withNullPrototype: true }), (body) => {
      const checked = check(body);
      return checked.ok || checked.fault.message.length < 1_000;
    }),
    { numRuns: 1_000 },
  );
});

t.test('any value in the place of any field is answered without throwing', async () => {
  fc.assert(
    fc.property(anyInteraction(), fc.nat(), fc.anything({ withBigInt: true }), (body, index, value) => {
      const names = Object.keys(body);
      const checked = check({ ...body, [names[index % names.length] ?? 'x']: value });
      return checked.ok || checked.fault.message.length < 1_000;
    }),
    { numRuns: 2_000 },
  );
});
