import type { Inspection } from '../../server/device/driver.ts';
import { conformOnStages, type StageCase } from './conform.ts';
import { newRequestId, type Stage, Subject } from './subject.ts';
import { TRANSPORTS, type TransportKind } from './transport.ts';

/** Every order in which a request can come over one transport and again over another, or the same. */
const PAIRS = TRANSPORTS.flatMap((first) => TRANSPORTS.map((second) => [first, second] as const));

type Prove = (t: Parameters<StageCase['prove']>[0], first: Subject, second: Subject) => Promise<void>;

const overPairs = (title: string, prove: Prove): readonly StageCase[] =>
  PAIRS.map(([first, second]) => ({
    title: `over ${first.name}, then over ${second.name}: ${title}`,
    async prove(t, stage) {
      const [before, after] = await openBoth(stage, first, second);
      await prove(t, before, after);
      await before.transport.close();
      await after.transport.close();
    },
  }));

const openBoth = async (stage: Stage, first: TransportKind, second: TransportKind) =>
  [await Subject.open(stage, first), await Subject.open(stage, second)] as const;

const heldGesture = (delayMs: number) => ({
  action: 'gesture',
  steps: [
    { phase: 'begin', points: [{ x: 0.4, y: 0.4 }], delayMs },
    { phase: 'end', points: [{ x: 0.6, y: 0.6 }] },
  ],
});
const HELD_GESTURE = heldGesture(400);
/** Also when it has been lifted again. */
const touched = ({ app }: Inspection): boolean => (app.touches as readonly unknown[]).length > 0;

conformOnStages([
  ...overPairs('a finished request asked again has no second effect and the first answer', async (t, first, second) => {
    await first.open('notes');
    const request = { requestId: newRequestId(), action: 'typeText', text: 'once' };
    const original = await first.ask(request);
    t.equal(original.acknowledgement.status, 'completed');
    t.same((await second.ask(request)).acknowledgement, original.acknowledgement);
    t.same((await second.ask({ ...request, timeoutMs: 15_000 })).acknowledgement, original.acknowledgement);
    t.same((await first.ask(request)).acknowledgement, original.acknowledgement);
    t.equal((await first.app()).text, 'once');
  }),

  ...overPairs('a request is the same with its defaults written out', async (t, first, second) => {
    await first.open('notes');
    const requestId = newRequestId();
    const short = await first.ask({ requestId, action: 'pressKey', key: 'q' });
    const long = { requestId, action: 'pressKey', key: 'q', modifiers: [], durationMs: 50, timeoutMs: 15_000 };
    t.same((await second.ask(long)).acknowledgement, short.acknowledgement);
    t.equal((await first.app()).text, 'q');
  }),

  ...overPairs('a running request asked again is joined: one effect, one answer for both', async (t, first, second) => {
    await first.open('touch-lab');
    const request = { requestId: newRequestId(), ...HELD_GESTURE };
    const original = first.ask(request);
    await first.until('the finger came down', touched);
    const joined = await second.ask(request);
    t.equal(joined.acknowledgement.status, 'completed');
    t.same((await original).acknowledgement, joined.acknowledgement);
    t.same(
      ((await first.app()).touches as readonly { phase: string }[]).map(({ phase }) => phase),
      ['begin', ...(first.stage.driver.endsInPlace ? ['move'] : []), 'end'],
    );
  }),

  ...overPairs('a waiting request asked again is joined as well', async (t, first, second) => {
    await first.open('touch-lab');
    const running = first.ask({ requestId: newRequestId(), ...HELD_GESTURE });
    await first.until('the finger came down', touched);
    const request = { requestId: newRequestId(), action: 'typeText', text: 'queued ' };
    const answers = await Promise.all([first.ask(request), second.ask(request), second.ask(request)]);
    for (const { acknowledgement } of answers) t.same(acknowledgement, answers[0]?.acknowledgement);
    await running;
    t.equal((await first.app()).text, 'queued ');
  }),

  ...overPairs('a used id with another body is a duplicate, and nothing happens', async (t, first, second) => {
    await first.open('notes');
    const request = { requestId: newRequestId(), action: 'typeText', text: 'mine' };
    const original = await first.ask(request);
    const others = [
      { ...request, text: 'other' },
      { ...request, timeoutMs: 14_999 },
      { requestId: request.requestId, action: 'reload' },
    ];
    for (const other of others) {
      const { acknowledgement, httpStatus = 409 } = await second.ask(other);
      const { status, error } = acknowledgement;
      t.match(
        { status, httpStatus, ...error },
        { status: 'failed', httpStatus: 409, code: 'duplicate_request', retryable: false },
      );
    }
    t.equal((await first.app()).text, 'mine');
    t.same((await second.ask(request)).acknowledgement, original.acknowledgement, 'the first answer stands');
  }),

  ...overPairs('a cancelled request stays cancelled for one who asks again', async (t, first, second) => {
    await first.open('touch-lab');
    const request = { requestId: newRequestId(), ...heldGesture(5_000) };
    const asked = first.ask(request);
    await first.until('the finger is down', ({ pointers }) => pointers.length > 0);
    await second.transport.cancel(request.requestId);
    const { acknowledgement } = await asked;
    t.equal(acknowledgement.status, 'cancelled');
    t.same((await second.ask(request)).acknowledgement, acknowledgement);
    t.equal(((await first.app()).touches as readonly unknown[]).length, 2, 'one begin and its cancel');
  }),
]);
