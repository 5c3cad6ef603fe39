import {
  type Checked,
  checkCreateSession,
  checkInteraction,
  checkOpenUrl,
  encodeClientMessage,
  faultSentence,
  LIMITS,
  urlFault,
} from '@runcloud/protocol';
import t from 'tap';
import { readJson } from '../../server/rest/strict-json.ts';
import { ClientMessageReader } from '../../server/wire/client-message-reader.ts';

/** Refusing a message or a body may take so much longer than taking the same one, */
const RATIO = 1.2;
/** and as long as refusing so many of the shortest: what is short floods by its number, which is limited. */
const SHORT = 20;
const ROUNDS = 15;

type Fields = Readonly<Record<string, unknown>>;

const steps = (last: object = {}) =>
  Array.from({ length: LIMITS.gestureSteps.max }, (_, index) => ({
    phase: index === 0 ? 'begin' : 'move',
    points: [
      { x: (index + 0.123) / 1_001, y: 0.5123 },
      { x: 0.25123, y: (index + 0.321) / 1_001 },
    ],
    delayMs: 3,
    ...(index === LIMITS.gestureSteps.max - 1 ? { phase: 'end', delayMs: 0, ...last } : {}),
  }));
const gesture = (last?: object): Fields => ({ action: 'gesture', requestId: 'r', steps: steps(last) });
const twoPoints = (second: object) => ({ points: [{ x: 0, y: 0 }, second] });
const url = (end: string) => `https://a.example/${'a'.repeat(LIMITS.urlCharacters.max - 18 - end.length)}${end}`;
const text = (end: string) => 'x'.repeat(LIMITS.textCharacters.max - end.length) + end;
const labels = (value: string) =>
  Object.fromEntries(
    Array.from({ length: LIMITS.sessionLabels }, (_, index) => [
      `${'label'.repeat(12)}${index}`,
      index === LIMITS.sessionLabels - 1 ? value : 'v'.repeat(128),
    ]),
  );
const session = (fields: Fields): Fields => ({
  platform: 'ios',
  installAssets: Array.from({ length: LIMITS.sessionInstallAssets }, () => 'a'.repeat(64)),
  embedOrigins: Array.from({ length: LIMITS.sessionEmbedOrigins }, () => `https://${'a'.repeat(200)}.example`),
  labels: labels('v'),
  ...fields,
});

/** The heaviest of each kind, and the same with something wrong where it is found last. */
const CASES: Readonly<Record<string, { readonly good: Fields; readonly bad: Readonly<Record<string, Fields>> }>> = {
  gesture: {
    good: gesture(),
    bad: {
      'a point of the last step is off the display': gesture(twoPoints({ x: 0, y: 2 })),
      'the last point has a field too many': gesture(twoPoints({ x: 0, y: 0, z: 0 })),
      'the last point lacks a field': gesture(twoPoints({ x: 0 })),
      'the last step has another phase': gesture({ phase: 'move' }),
      'the last step waits': gesture({ delayMs: 3 }),
      'the last step has one point': gesture({ points: [{ x: 0, y: 0 }] }),
      'the steps take too long': { ...gesture(), timeoutMs: 100 },
    },
  },
  typeText: {
    good: { action: 'typeText', requestId: 'r', text: text('x') },
    bad: { 'the last character is none': { action: 'typeText', requestId: 'r', text: text('\x7f') } },
  },
  'open a URL': {
    good: { url: url('a') },
    bad: { 'the last escape is none': { url: url('%') } },
  },
  'create a session': {
    good: session({}),
    bad: {
      'the last label is too long': session({ labels: labels('v'.repeat(129)) }),
      'a field too many': session({ more: 1 }),
    },
  },
};

const checkOf =
  (name: string) =>
  (body: unknown): Checked<unknown> => {
    if (name === 'create a session') return checkCreateSession(body);
    if (name !== 'open a URL') return checkInteraction(body, () => 'r');
    const checked = checkOpenUrl(body);
    const fault = checked.ok ? urlFault(checked.value.url) : undefined;
    return fault ? { ok: false, fault: { path: 'url', message: fault } } : checked;
  };

/** Reads it as its transport does; tells whether it was let through. */
type Read = () => boolean;

function bodyOf(name: string, fields: Fields): Read {
  const bytes = Buffer.from(JSON.stringify(fields));
  const check = checkOf(name);
  return () => {
    const read = readJson(bytes);
    if (!read.ok) throw new Error(read.reason);
    const checked = check(read.value);
    return checked.ok || faultSentence(checked.fault) === '';
  };
}

const reader = new ClientMessageReader(Buffer.allocUnsafeSlow(LIMITS.clientMessageBytes));

function messageOf(fields: Fields): Read {
  const bytes = encodeClientMessage({ type: 'interaction', ...fields });
  return () => {
    const read = reader.read(bytes);
    return (
      read.kind === 'valid' || faultSentence((read as { fault: Parameters<typeof faultSentence>[0] }).fault) === ''
    );
  };
}

function timeOf(read: Read, times: number): number {
  const startMs = performance.now();
  for (let count = 0; count < times; count++) read();
  return (performance.now() - startMs) / times;
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** By how much refusing is dearer than taking, beside what refusing some of the shortest takes. */
function ratioOf(good: Read, bad: Read, small: Read): number {
  const times = Math.max(1, Math.round(3 / Math.max(timeOf(good, 3), 0.005)));
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const goodMs = timeOf(good, times);
    const badMs = timeOf(bad, times);
    ratios.push((badMs - timeOf(small, times) * SHORT) / goodMs);
  }
  return median(ratios);
}

const smallBody = bodyOf('gesture', { action: 'tap', x: 2, y: 0 });
const smallMessage = messageOf({ action: 'tap', requestId: 'r', x: 2, y: 0 });

for (const [name, { good, bad }] of Object.entries(CASES)) {
  for (const [fault, fields] of Object.entries(bad)) {
    t.test(`${name}: refused because ${fault}, it costs hardly more than when it is taken`, async (t) => {
      const ways: [Read, Read, Read][] = [[bodyOf(name, good), bodyOf(name, fields), smallBody]];
      if ('action' in good) ways.push([messageOf(good), messageOf(fields), smallMessage]);
      for (const [taken, refused, small] of ways) {
        t.ok(taken());
        t.notOk(refused());
        for (const read of [taken, refused]) timeOf(read, 30);
        let ratio = Number.POSITIVE_INFINITY;
        // Other load on the machine can only make times longer, so one good series is a proof.
        for (let series = 0; series < 3 && ratio > RATIO; series++) ratio = ratioOf(taken, refused, small);
        t.ok(ratio <= RATIO, `${ratio.toFixed(2)} times`);
      }
    });
  }
}
