import type { Session } from '../../../client/sdk/sessions.ts';
import type { Modifier } from '../../../client/sdk/types.ts';
import { systemClock } from '../../flow/clock.ts';
import { sleepUntil } from '../../flow/sleep.ts';
import { type Deed, deedsOf } from '../actions.ts';
import { DELETE, GET, POST, type SessionCall, type SessionCommand } from '../command.ts';
import { elementOf, referenceIn } from '../element-id.ts';
import { WebDriverFailure } from '../failure.ts';
import { keyNamed, noKey, tapped, typedKeys } from '../inputs.ts';
import { isUnknownKey, keyOf, modifierOf } from '../key-values.ts';
import { middleOf, Screen, sizeOf } from '../screen.ts';

/** What a gesture may take longer than its own pauses, and the longest that the service waits for one. */
const GRACE_MS = 10_000;
const TIMEOUT_MS_MAX = 60_000;

async function performed(call: SessionCall): Promise<void> {
  const { session, fields, signal } = call;
  const sources = fields.list('actions');
  // The screen is read only where an element is aimed at: on some devices that takes seconds.
  const screen = JSON.stringify(sources).includes('"origin":{') ? await Screen.of(session, signal) : undefined;
  const { width, height } = screen ?? sizeOf(session.record, session.record.orientation);
  const middle = (origin: unknown) => {
    const reference = referenceIn(origin);
    return screen && reference !== undefined ? middleOf(elementOf(screen, reference).node) : undefined;
  };
  const held = new Set<Modifier>();
  for (const deed of deedsOf(sources, { width, height, middle })) await done(session, deed, held, signal);
}

async function done(session: Session, deed: Deed, held: Set<Modifier>, signal: AbortSignal): Promise<void> {
  switch (deed.kind) {
    case 'pause':
      return sleepUntil(systemClock.monotonicMs() + deed.ms, systemClock, signal);
    case 'key':
      return pressed(session, deed, held, signal);
    case 'gesture': {
      const ms = deed.steps.reduce((sum, { delayMs }) => sum + delayMs, 0);
      const steps = deed.steps.map(({ phase, points, delayMs }) => ({ phase, points: [...points], delayMs }));
      await session.gesture(steps, { timeoutMs: Math.min(TIMEOUT_MS_MAX, ms + GRACE_MS), signal });
    }
  }
}

type KeyDeed = Extract<Deed, { readonly kind: 'key' }>;

/** A key is pressed when it goes down; modifiers are held until they go up. */
async function pressed(
  session: Session,
  { down, value }: KeyDeed,
  held: Set<Modifier>,
  signal: AbortSignal,
): Promise<void> {
  const modifier = modifierOf(value);
  if (modifier !== undefined) {
    if (down) held.add(modifier);
    else held.delete(modifier);
    return;
  }
  if (!down) return;
  if (keyOf(value) === undefined && held.size === 0 && !isUnknownKey(value)) return typedKeys(session, value, signal);
  const key = keyOf(value) ?? keyNamed(value);
  if (key === undefined) throw noKey(value);
  await session.pressKey(key, { modifiers: [...held], signal });
}

/** What an app calls the way back where the device has no button for it. */
const BACK = /^(?:back|cancel|close|done)$/i;

async function wentBack({ session, signal }: SessionCall): Promise<void> {
  if (session.platform === 'android') return void (await session.pressButton('back', { signal }));
  const screen = await Screen.of(session, signal);
  const back = screen.elements.find(({ node }) => node.role === 'button' && !node.system && BACK.test(node.name ?? ''));
  if (back) return tapped(session, screen, back, signal);
  throw new WebDriverFailure(
    'unsupported operation',
    'An iPhone has no back button, and nothing on the screen is called so.',
  );
}

const keyboard = async ({ session, signal }: SessionCall): Promise<boolean> =>
  (await Screen.of(session, signal)).elements.some(({ node }) => node.role === 'keyboard');

export const INPUT_COMMANDS: readonly SessionCommand[] = [
  POST('actions', performed),
  // Actions end with their command: nothing is held.
  DELETE('actions', () => undefined),
  POST('keys', ({ session, fields, signal }) => typedKeys(session, fields.list('value').map(String).join(''), signal)),
  POST('back', wentBack),
  POST('url', async ({ session, fields, signal }) => {
    await session.openUrl(fields.text('url'), { signal });
  }),
  GET('appium/device/is_keyboard_shown', keyboard),
  POST('appium/device/hide_keyboard', async (call) => {
    if (await keyboard(call)) await call.session.toggleSoftwareKeyboard({ signal: call.signal });
  }),
];
