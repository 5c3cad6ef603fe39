import t from 'tap';
import { fingerprint, sameBody } from '../../server/interaction/fingerprint.ts';

const point = (x: number, y = 0.5) => ({ x, y });
const gesture = (change: object = {}, step: object = {}) => ({
  action: 'gesture',
  steps: [
    { phase: 'begin', points: [point(0.1)], delayMs: 5 },
    { phase: 'move', points: [point(0.2)], delayMs: 0, ...step },
    { phase: 'end', points: [point(0.3)], delayMs: 0 },
  ],
  requestId: 'g',
  timeoutMs: 15_000,
  ...change,
});

t.test('gestures are the same when everything in them is', async (t) => {
  const print = fingerprint('gesture', gesture());
  t.type(print, 'string', 'the body itself is not kept');
  t.ok(sameBody(print, fingerprint('gesture', gesture())));
  const { steps } = gesture();
  const others = [
    gesture({ timeoutMs: 15_001 }),
    gesture({}, { delayMs: 1 }),
    gesture({}, { points: [point(0.2, 0.500_000_000_000_1)] }),
    gesture({}, { points: [point(0.5, 0.2)] }),
    gesture({ steps: steps.slice(0, 2) }),
    gesture({ steps: [...steps.slice(0, 2), ...steps.slice(1)] }),
    gesture({ steps: steps.map((step) => ({ ...step, points: [...step.points, point(0)] })) }),
  ];
  for (const other of others) t.notOk(sameBody(print, fingerprint('gesture', other)), JSON.stringify(other));
});

t.test('texts and URLs are told apart, and short bodies are kept as they are', async (t) => {
  const typed = (text: string) => fingerprint('typeText', { action: 'typeText', text });
  t.ok(sameBody(typed('a'), typed('a')));
  t.notOk(sameBody(typed('a'), typed('b')));
  const body = { action: 'reload', requestId: 'r', timeoutMs: 1 };
  t.equal(fingerprint('reload', body), body);
});
