import { ERRORS } from '@runcloud/protocol/terms';
import t from 'tap';
import { DeviceFault, type DeviceFaultKind } from '../../server/device/fault.ts';
import { ClipboardRunner } from '../../server/interaction/clipboard-runner.ts';
import { INTERACTION_ENDINGS } from '../../server/interaction/ending.ts';
import { settled } from '../support/fake-clock.ts';
import { openArena, tap, Witness } from '../support/interaction-arena.ts';

async function openClipboard() {
  const arena = await openArena();
  const use = async (requestId: string, text?: string) => {
    const witness = new Witness();
    const action = text === undefined ? 'clipboard.get' : 'clipboard.set';
    const spec = { requestId, action, body: { text }, timeoutMs: 15_000, endings: INTERACTION_ENDINGS };
    arena.interactions.accept(
      { ...spec, isForgotten: true, createRunner: (device) => new ClipboardRunner(device, text) },
      witness,
    );
    await settled();
    return witness;
  };
  return { ...arena, use };
}

t.test('the result is what the device holds after it has taken the text, and not before', async (t) => {
  const { use, scripted } = await openClipboard();
  scripted.patient = true;
  const witness = await use('one', 'written');
  t.equal(witness.status, undefined);
  scripted.lastClipboard.answer();
  await settled();
  t.equal(witness.status, undefined, 'it is read back');
  scripted.held = 'made of it by the device';
  scripted.lastClipboard.answer();
  await settled();
  t.match(witness.acknowledgement, { ok: true, status: 'completed', action: 'clipboard.set', requestId: 'one' });
  t.strictSame(witness.acknowledgement.result, { text: 'made of it by the device' });
  t.strictSame(scripted.arrivals, ['write written', 'read']);
});

t.test('it keeps its place among taps', async (t) => {
  const { use, submit, scripted } = await openClipboard();
  scripted.patient = true;
  await submit(tap('copies'));
  await use('reads');
  await submit(tap('after'));
  t.strictSame(scripted.arrivals, ['copies']);
  scripted.lastPerform.answer({});
  await settled();
  t.strictSame(scripted.arrivals, ['copies', 'read']);
  scripted.lastClipboard.answer();
  await settled();
  t.strictSame(scripted.arrivals, ['copies', 'read', 'after']);
});

t.test('the same request is joined while it runs, and a new one after its end', async (t) => {
  const { use, scripted } = await openClipboard();
  scripted.patient = true;
  const first = await use('one');
  const joined = await use('one');
  await t.rejects(use('one', 'another'), { code: 'duplicate_request' });
  scripted.held = 'then';
  scripted.lastClipboard.answer();
  await settled();
  t.strictSame(joined.acknowledgement, first.acknowledgement);
  scripted.patient = false;
  scripted.held = 'now';
  t.strictSame((await use('one')).acknowledgement.result, { text: 'now' });
  t.strictSame((await use('one', 'set')).acknowledgement.result, { text: 'set' });
});

t.test('each fault of the device has its code', async (t) => {
  const codes: Readonly<Record<DeviceFaultKind, keyof typeof ERRORS>> = {
    aborted: 'interaction_failed',
    full: 'asset_capacity_unavailable',
    damaged: 'interaction_failed',
    failed: 'interaction_failed',
    unhandled: 'interaction_failed',
    missing: 'app_not_found',
    unavailable: 'interaction_transport_error',
    unreachable: 'interaction_transport_error',
    nonsense: 'interaction_invalid_response',
    unsupported: 'unsupported_action',
  };
  for (const [kind, code] of Object.entries(codes)) {
    const { use, scripted } = await openClipboard();
    scripted.patient = true;
    const witness = await use('one');
    scripted.lastClipboard.fail(new DeviceFault(kind as DeviceFaultKind, 'The device says why.'));
    await settled();
    const { retryable } = ERRORS[code];
    t.match(witness.acknowledgement, {
      ok: false,
      status: 'failed',
      error: { code, message: 'The device says why.', retryable },
    });
  }
});

t.test('a cancel, a time-out and the end of the session stop it, and the device is told', async (t) => {
  const cancelled = await openClipboard();
  cancelled.scripted.patient = true;
  const first = await cancelled.use('one', 'x');
  cancelled.interactions.cancel('one');
  await settled();
  t.match(first.acknowledgement, { status: 'cancelled', error: { code: 'interaction_cancelled' } });
  t.strictSame(cancelled.scripted.arrivals, ['write x'], 'nothing is read for nobody');

  const late = await openClipboard();
  late.scripted.patient = true;
  const second = await late.use('one');
  await late.clock.advance(15_000);
  t.match(second.acknowledgement, { status: 'timed_out', error: { code: 'interaction_timeout' } });

  const over = await openClipboard();
  over.scripted.patient = true;
  const third = await over.use('one');
  await over.interactions.end();
  t.match(third.acknowledgement, { status: 'failed', error: { code: 'active_session_not_found' } });
  await t.rejects(over.use('two'), { code: 'active_session_not_found' });
});
