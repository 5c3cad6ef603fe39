import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceCapabilities, ResultOf } from '@runcloud/protocol';
import type { Test } from 'tap';
import { conform } from './conform.ts';
import { installSample, removeSample, SAMPLE, sampleInstallation } from './sample-app.ts';
import { type Action, newRequestId, type Subject } from './subject.ts';

/** How long after its request a cancel is sent: before the device has begun, and in the middle of what it does. */
const DELAYS_MS = [0, 1, 3, 10, 30, 100];
const HOME = { latitude: 52.520_008, longitude: 13.404_954 };
const AWAY = { latitude: -33.856_784, longitude: 151.215_297 };

/** A power that is cut in the middle again and again. */
interface Power {
  readonly title: string;
  readonly needs: (can: DeviceCapabilities) => boolean;
  /** Puts the device where the action changes something. */
  readonly before?: (subject: Subject) => Promise<unknown>;
  readonly action: (subject: Subject) => Promise<Action> | Action;
  /** What there is now: as before the action, or as after it. */
  readonly isEither: (t: Test, subject: Subject) => Promise<unknown>;
  /** Whether the whole action has had its effect. */
  readonly isDone: (t: Test, subject: Subject) => Promise<unknown>;
  readonly after?: (subject: Subject) => Promise<unknown>;
}

const has =
  (...names: readonly string[]) =>
  ({ actions }: DeviceCapabilities) =>
    names.every((name) => (actions as readonly string[]).includes(name));

async function sampleState(subject: Subject): Promise<string | undefined> {
  const { apps } = (await subject.do({ action: 'listApps' })).result as ResultOf<'listApps'>;
  return apps.find(({ app }) => app === SAMPLE)?.state;
}

const notesOf = ({ stage: { driver } }: Subject): string => driver.appId?.('notes') ?? 'notes';

const settings = async (subject: Subject) => (await subject.do({ action: 'configureDevice' })).result;
const whereIs = async (subject: Subject) => ((await subject.app()).location ?? {}) as Partial<typeof HOME>;

const POWERS: readonly Power[] = [
  {
    title: 'an installation',
    needs: has('installApp', 'uninstallApp', 'listApps'),
    action: sampleInstallation,
    isEither: async (t, subject) => {
      const state = await sampleState(subject);
      t.ok(state === undefined || state === 'stopped', `the app is ${state}`);
      if (state !== undefined) await removeSample(subject);
    },
    isDone: async (t, subject) => t.equal(await sampleState(subject), 'stopped'),
    after: removeSample,
  },
  {
    title: 'the removal of an app',
    needs: has('installApp', 'uninstallApp', 'listApps'),
    before: async (subject) => (await sampleState(subject)) ?? installSample(subject),
    action: () => ({ action: 'uninstallApp', app: SAMPLE }),
    isEither: async (t, subject) => {
      const state = await sampleState(subject);
      t.ok(state === undefined || state === 'stopped', `the app is ${state}`);
      if (state === undefined) await installSample(subject);
    },
    isDone: async (t, subject) => t.equal(await sampleState(subject), undefined),
  },
  {
    title: 'a change of the appearance',
    needs: has('configureDevice'),
    before: (subject) => subject.do({ action: 'configureDevice', appearance: 'light' }),
    action: () => ({ action: 'configureDevice', appearance: 'dark' }),
    isEither: async (t, subject) => t.match(await settings(subject), { appearance: /^(light|dark)$/ }),
    isDone: async (t, subject) => t.match(await settings(subject), { appearance: 'dark' }),
    after: (subject) => subject.do({ action: 'configureDevice', appearance: 'light' }),
  },
  {
    title: 'a change of the size of text',
    needs: has('configureDevice'),
    before: (subject) => subject.do({ action: 'configureDevice', textScale: 1 }),
    action: () => ({ action: 'configureDevice', textScale: 1.3 }),
    isEither: async (t, subject) => {
      const { textScale = 0 } = (await settings(subject)) as { textScale?: number };
      t.ok(textScale === 1 || textScale > 1.1, `text of ${textScale} times the usual size`);
    },
    isDone: async (t, subject) => {
      const { textScale = 0 } = (await settings(subject)) as { textScale?: number };
      t.ok(textScale > 1.1, `text of ${textScale} times the usual size`);
    },
    after: (subject) => subject.do({ action: 'configureDevice', textScale: 1 }),
  },
  {
    title: 'a location',
    needs: has('setLocation', 'clearLocation'),
    before: async (subject) => {
      await subject.open('settings');
      await subject.do({ action: 'setLocation', ...HOME });
    },
    action: () => ({ action: 'setLocation', ...AWAY }),
    isEither: async (t, subject) => {
      const { latitude, longitude } = await whereIs(subject);
      const either = [HOME, AWAY].some((place) => place.latitude === latitude && place.longitude === longitude);
      t.ok(either, `the device is at ${latitude}, ${longitude}`);
    },
    isDone: async (t, subject) => t.match(await whereIs(subject), AWAY),
    after: (subject) => subject.do({ action: 'clearLocation' }),
  },
  {
    title: 'a route',
    needs: has('followRoute', 'clearLocation'),
    before: (subject) => subject.open('settings'),
    action: () => ({ action: 'followRoute', points: [HOME, { ...HOME, latitude: 52.53 }], speedMPerS: 500 }),
    // A cancelled one goes nowhere: what it set stands still, or is not set.
    isEither: async (t, subject) => {
      await subject.do({ action: 'clearLocation' });
      const { route } = (await subject.do({ action: 'readLocation' })).result as ResultOf<'readLocation'>;
      t.equal(route, undefined, 'nothing moves it any more');
    },
    isDone: async (t, subject) => {
      const state = await subject.until('it moves', ({ app }) => {
        const { latitude = 0 } = (app.location ?? {}) as Partial<typeof HOME>;
        return latitude > HOME.latitude && latitude <= 52.53;
      });
      t.ok(state);
    },
    after: (subject) => subject.do({ action: 'clearLocation' }),
  },
  {
    title: 'a permission',
    needs: has('setPermission', 'installApp'),
    before: async (subject) => (await sampleState(subject)) ?? installSample(subject),
    action: () => ({ action: 'setPermission', app: SAMPLE, permission: 'location', access: 'grant' }),
    isEither: async (t, subject) => t.equal(await sampleState(subject), 'stopped', 'its app is there'),
    isDone: async (t, subject) => {
      const { result } = await subject.do({
        action: 'setPermission',
        app: SAMPLE,
        permission: 'location',
        access: 'revoke',
      });
      const { readBack, state } = result as ResultOf<'setPermission'>;
      t.equal(state, readBack ? 'denied' : undefined);
    },
    after: removeSample,
  },
  {
    title: 'a notification',
    needs: has('sendPush', 'installApp'),
    before: async (subject) => (await sampleState(subject)) ?? installSample(subject),
    action: () => ({ action: 'sendPush', app: SAMPLE, payload: { aps: { alert: 'cut' } } }),
    isEither: async (t, subject) => t.equal(await sampleState(subject), 'stopped', 'its app is there'),
    isDone: async (t, subject) => t.equal(await sampleState(subject), 'stopped'),
    after: removeSample,
  },
  {
    title: 'the end of the data of an app',
    needs: has('clearAppData', 'installApp'),
    before: async (subject) => (await sampleState(subject)) ?? installSample(subject),
    action: () => ({ action: 'clearAppData', app: SAMPLE }),
    isEither: async (t, subject) => t.equal(await sampleState(subject), 'stopped', 'the app is there'),
    isDone: async (t, subject) => t.equal(await sampleState(subject), 'stopped'),
    after: removeSample,
  },
  {
    title: 'a reset of the device',
    needs: has('resetDevice', 'setLocation'),
    before: (subject) => subject.do({ action: 'setLocation', ...AWAY }),
    action: () => ({ action: 'resetDevice' }),
    isEither: async (t, subject) => {
      const { location } = (await subject.do({ action: 'readLocation' })).result as ResultOf<'readLocation'>;
      t.ok(location === undefined || location.latitude === AWAY.latitude, JSON.stringify(location));
      await subject.do({ action: 'setLocation', ...AWAY });
    },
    isDone: async (t, subject) => t.equal((await subject.inspect()).foreground, 'home'),
  },
  {
    title: 'the end of an app',
    needs: has('launchApp', 'terminateApp'),
    before: (subject) => subject.do({ action: 'launchApp', app: notesOf(subject) }),
    action: (subject) => ({ action: 'terminateApp', app: notesOf(subject) }),
    isEither: async (t, subject) => {
      const { foreground } = await subject.inspect();
      t.ok(foreground === 'notes' || foreground === 'home', `${foreground} is in front`);
      await subject.do({ action: 'launchApp', app: notesOf(subject) });
    },
    isDone: async (t, subject) => t.equal((await subject.inspect()).foreground, 'home'),
  },
  {
    title: 'a text that is inserted',
    needs: has('insertText'),
    before: (subject) => subject.open('touch-lab'),
    action: () => ({ action: 'insertText', text: 'whole or not at all' }),
    isEither: async (t, subject) => {
      const { text = '' } = (await subject.app()) as { text?: string };
      t.ok(text === '' || text === 'whole or not at all', JSON.stringify(text));
      await subject.open('touch-lab');
    },
    isDone: async (t, subject) => t.equal((await subject.app()).text, 'whole or not at all'),
  },
  {
    title: 'the start of an app',
    needs: has('launchApp', 'terminateApp'),
    action: (subject) => ({ action: 'launchApp', app: notesOf(subject) }),
    isEither: async (t, subject) => {
      const { foreground } = await subject.inspect();
      t.ok(foreground === 'notes' || foreground === 'home', `${foreground} is in front`);
      await subject.do({ action: 'terminateApp', app: notesOf(subject) });
    },
    isDone: async (t, subject) => t.equal((await subject.inspect()).foreground, 'notes'),
  },
];

/** Sends a request and cancels it after a while; it ends as cancelled, or as done. */
async function cut(t: Test, subject: Subject, action: Action, delayMs: number): Promise<string> {
  const requestId = newRequestId();
  const asked = subject.ask({ ...action, requestId });
  await sleep(delayMs);
  await subject.transport.cancel(requestId);
  const { status, error } = (await asked).acknowledgement;
  if (status === 'cancelled') t.equal(error?.code, 'interaction_cancelled');
  else t.equal(status, 'completed', JSON.stringify(error));
  return status;
}

conform(
  POWERS.map(({ title, needs, before, action, isEither, isDone, after }) => ({
    title: `${title} that is cut in the middle is done or not done, and can be done again`,
    needs,
    async prove(t, subject) {
      await before?.(subject);
      const ends: string[] = [];
      for (const delayMs of DELAYS_MS) {
        ends.push(await cut(t, subject, await action(subject), delayMs));
        await isEither(t, subject);
      }
      t.comment(ends.join(', '));
      await subject.do(await action(subject));
      await isDone(t, subject);
      await after?.(subject);
    },
  })),
);
