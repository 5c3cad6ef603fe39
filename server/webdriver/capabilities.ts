import type { CreateSession, Platform, SessionRecord } from '../../client/sdk/types.ts';
import { WebDriverFailure } from './failure.ts';
import { Fields } from './fields.ts';
import { sizeOf } from './screen.ts';

/** What a new session is to be. */
export interface Wanted {
  /** A session that is there already; with it, nothing else counts. */
  readonly session: string | undefined;
  readonly request: CreateSession | undefined;
  /** An app to open at the start. */
  readonly app: string | undefined;
}

const PLATFORMS: Readonly<Record<string, Platform>> = { ios: 'ios', android: 'android' };
const ORIENTATIONS = { PORTRAIT: 'portrait', LANDSCAPE: 'landscape_left' } as const;

type CapabilitySet = Readonly<Record<string, unknown>>;

/**
 * The first set of capabilities that can be met (W3C WebDriver, section 7.2). Those of Appium that say which device, which app and for how
 * long are in force; what they say of how a driver works is left out, as Appium's own drivers leave out what they do not know.
 */
export function wanted(fields: Fields): Wanted {
  const asked = fields.maybe('capabilities', (at, name) => at.object(name));
  if (!asked) throw new WebDriverFailure('invalid argument', '"capabilities" must be an object.');
  const always = asked.maybe('alwaysMatch', (at, name) => setOf(at.raw(name))) ?? {};
  const first = asked.maybe('firstMatch', (at, name) => at.list(name).map(setOf)) ?? [{}];
  if (first.length === 0) throw new WebDriverFailure('invalid argument', '"firstMatch" must not be empty.');
  const reasons: string[] = [];
  for (const set of first) {
    const doubled = Object.keys(set).find((name) => name in always);
    if (doubled !== undefined) {
      throw new WebDriverFailure('invalid argument', `"${doubled}" stands in alwaysMatch and in firstMatch.`);
    }
    const merged = { ...always, ...set };
    const reason = lackOf(merged);
    if (reason === undefined) return wantedBy(new Fields(merged, 'capabilities'));
    reasons.push(reason);
  }
  throw new WebDriverFailure('session not created', reasons.join(' '));
}

function setOf(value: unknown): CapabilitySet {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as CapabilitySet;
  throw new WebDriverFailure('invalid argument', 'A set of capabilities must be an object.');
}

/** Why a set cannot be met. */
function lackOf({ platformName, browserName, 'runcloud:session': session }: CapabilitySet): string | undefined {
  if (browserName) return `There is no browser ${JSON.stringify(browserName)}: sessions are of a whole phone.`;
  if (session !== undefined || PLATFORMS[String(platformName).toLowerCase()] !== undefined) return undefined;
  return '"platformName" must be "iOS" or "Android".';
}

function wantedBy(set: Fields): Wanted {
  const text = (name: string) => set.maybe(name, (at) => at.text(name));
  const session = text('runcloud:session');
  const app = text('appium:bundleId') ?? text('appium:appPackage');
  if (session !== undefined) return { session, app, request: undefined };
  const platform = PLATFORMS[set.text('platformName').toLowerCase()] as Platform;
  // An Android driver of Appium's leaves the name of the device out of account, so suites have any there.
  const model = text('runcloud:deviceModel') ?? (platform === 'ios' ? text('appium:deviceName') : undefined);
  const version = text('appium:platformVersion');
  const seconds = set.maybe('appium:newCommandTimeout', (at, name) => at.number(name, 0, 86_400));
  const orientation = set.maybe('appium:orientation', (at, name) => orientationOf(at.text(name)));
  const asset = text('appium:app');
  const request: CreateSession = {
    platform,
    ...(model === undefined ? {} : { deviceModel: model }),
    ...(version === undefined ? {} : { osVersion: version }),
    ...(orientation === undefined ? {} : { orientation }),
    // Zero means never there; sessions that nobody uses end here after their own time.
    ...(seconds ? { inactivityTimeout: `${Math.ceil(seconds)}s` } : {}),
    ...(asset === undefined ? {} : { installAssets: [asset] }),
  };
  return { session: undefined, request, app };
}

export function orientationOf(text: string): (typeof ORIENTATIONS)[keyof typeof ORIENTATIONS] {
  const found = Object.entries(ORIENTATIONS).find(([name]) => name === text.toUpperCase());
  if (found) return found[1];
  throw new WebDriverFailure(
    'invalid argument',
    `"orientation" must be PORTRAIT or LANDSCAPE, not ${JSON.stringify(text)}.`,
  );
}

export const orientationName = (orientation: string): string =>
  orientation.startsWith('portrait') ? 'PORTRAIT' : 'LANDSCAPE';

/** What a session is, in the words of W3C WebDriver and Appium. */
export function capabilitiesOf(record: SessionRecord): Readonly<Record<string, unknown>> {
  const { platform, device, orientation, id } = record;
  const { width, height } = sizeOf(record, 'portrait');
  return {
    platformName: platform === 'ios' ? 'iOS' : 'Android',
    browserName: '',
    'appium:automationName': 'RunCloud',
    'appium:deviceName': device.model,
    'appium:platformVersion': device.osVersion,
    'appium:deviceScreenSize': `${width}x${height}`,
    'appium:orientation': orientationName(orientation),
    'runcloud:session': id,
  };
}
