import type { Orientation } from '../../sdk/types.ts';
import type { Commands, ReadCommand, Scope } from '../step.ts';
import type { Value } from '../value.ts';

const COMMON = ['label', 'optional'] as const;
const PERMISSIONS = 'apps have the permissions that the device gives them';

/** The app that a command is about: its own, or that of the flow. */
function appOf(value: Value, given: Value | undefined, { appId }: Scope): string {
  const app = given?.text('the id of an app') ?? appId;
  if (app === undefined) throw value.fault('No app is named: neither here nor as "appId" of the flow.');
  return app;
}

const launchApp: ReadCommand = (value, scope) => {
  const fields = value.isRecord
    ? value.record('launchApp', ['appId', 'clearState', 'stopApp', 'arguments', 'clearKeychain', ...COMMON], {
        permissions: PERMISSIONS,
      })
    : {};
  if (fields.clearKeychain?.flag())
    throw fields.clearKeychain.fault('"clearKeychain" is not supported: no driver can clear it.');
  const app = appOf(value, value.isScalar ? value : fields.appId, scope);
  const clears = fields.clearState?.flag() ?? false;
  const stops = fields.stopApp?.flag() ?? true;
  const texts = fields.arguments?.entries('texts by name') ?? new Map<string, Value>();
  const given = Object.fromEntries([...texts].map(([name, text]) => [name, text.text()]));
  return {
    words: JSON.stringify(app),
    perform: async ({ session, signal }) => {
      if (clears) await session.clearAppData(app, { signal });
      else if (stops) await session.terminateApp(app, { signal });
      await session.launchApp(app, { ...(texts.size > 0 ? { arguments: given } : {}), signal });
    },
  };
};

const ofApp =
  (
    perform: (
      session: Parameters<ReturnType<ReadCommand>['perform']>[0]['session'],
      app: string,
      signal: AbortSignal,
    ) => Promise<unknown>,
  ): ReadCommand =>
  (value, scope) => {
    const given = value.isRecord
      ? value.record('this command', ['appId', ...COMMON]).appId
      : value.isScalar
        ? value
        : undefined;
    const app = appOf(value, given, scope);
    return {
      words: JSON.stringify(app),
      perform: async ({ session, signal }) => void (await perform(session, app, signal)),
    };
  };

const openLink: ReadCommand = (value) => {
  const fields = value.isRecord
    ? value.record('openLink', ['link', 'browser', 'autoVerify', ...COMMON])
    : { link: value };
  const { link, browser, autoVerify } = fields as Partial<Record<'link' | 'browser' | 'autoVerify', Value>>;
  if (!link) throw value.fault('"link" is missing.');
  if (browser?.flag()) throw browser.fault('"browser" is not supported: the device chooses the app that opens a link.');
  if (autoVerify?.flag())
    throw autoVerify.fault('"autoVerify" is not supported: no questions are answered for the flow.');
  const url = link.text('a URL');
  return {
    words: JSON.stringify(link.written),
    perform: async ({ session, signal }) => void (await session.openUrl(url, { signal })),
  };
};

const back: ReadCommand = (value, { platform }) => {
  if (platform === 'ios') throw value.fault('"back" is for Android: an iPhone has no back button.');
  if (!value.isAbsent) value.record('back', COMMON);
  return { words: '', perform: async ({ session, signal }) => void (await session.pressButton('back', { signal })) };
};

const setLocation: ReadCommand = (value) => {
  const { latitude, longitude } = value.record('setLocation', ['latitude', 'longitude', ...COMMON]);
  if (!latitude || !longitude) throw value.fault('"latitude" and "longitude" are needed.');
  const place = {
    latitude: latitude.number('a latitude', -90, 90),
    longitude: longitude.number('a longitude', -180, 180),
  };
  return {
    words: `${latitude.written}, ${longitude.written}`,
    perform: async ({ session, signal }) =>
      void (await session.setLocation(place.latitude, place.longitude, { signal })),
  };
};

const ORIENTATIONS: Readonly<Record<string, Orientation>> = {
  PORTRAIT: 'portrait',
  UPSIDE_DOWN: 'portrait_upside_down',
  LANDSCAPE_LEFT: 'landscape_left',
  LANDSCAPE_RIGHT: 'landscape_right',
};

const setOrientation: ReadCommand = (value) => {
  const given = value.isRecord ? value.record('setOrientation', ['orientation', ...COMMON]).orientation : value;
  if (!given) throw value.fault('"orientation" is missing.');
  const orientation = ORIENTATIONS[given.oneOf(Object.keys(ORIENTATIONS))] ?? 'portrait';
  return {
    words: given.written,
    perform: async ({ session, signal }) => void (await session.rotate(orientation, { signal })),
  };
};

export const DEVICE: Commands = {
  launchApp,
  stopApp: ofApp((session, app, signal) => session.terminateApp(app, { signal })),
  killApp: ofApp((session, app, signal) => session.terminateApp(app, { signal })),
  clearState: ofApp((session, app, signal) => session.clearAppData(app, { signal })),
  openLink,
  back,
  setLocation,
  setOrientation,
};
