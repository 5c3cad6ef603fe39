import type { Key } from '../keys.ts';
import type { Access, Permission } from '../permission.ts';
import type { Button, Modifier, Orientation, RenderOption } from '../platforms.ts';
import type { Given, Point, Target } from './action.ts';
import type { ActionName, InputOf } from './index.ts';
import type { ScrollDirection } from './scroll-directions.ts';

/** How programs call an action: the fields that its method's arguments are, and those of its options. */
interface Method {
  // biome-ignore lint/suspicious/noExplicitAny: each takes its own arguments
  readonly call: (...args: any[]) => object;
  // biome-ignore lint/suspicious/noExplicitAny: each takes its own options
  readonly options?: (given: any) => object;
  /** Another name of the method. */
  readonly alias?: string;
}

/** Any method, for code that treats all of them alike. */
export type AnyMethod = Method;

interface Held {
  /** Milliseconds. */
  readonly durationMs?: number | undefined;
}

interface Waiting {
  /** Milliseconds to wait for exactly one such element, 0 to 30,000; default 2,000. */
  readonly waitMs?: number | undefined;
}

interface Into extends Waiting {
  /** The element to focus first; default: the text goes to whatever has the focus. */
  readonly target?: Given<Target> | undefined;
}

const nothing = () => ({});
const app = (app: string) => ({ app });
const delta = (delta: number) => ({ delta });
const text = (text: string) => ({ text });
const into = ({ target, waitMs }: Into) => ({ target, waitMs });
const held = ({ durationMs }: Held) => ({ durationMs });

/**
 * The method of every action. They stand beside the actions' values because a page needs them without the schemas and the
 * words. The line above each is what editors tell of it.
 */
export const METHODS = {
  /** Taps the screen; x and y are shares of its width and height, from the top left. */
  tap: { call: (x: number, y: number) => ({ x, y }) },
  /** Taps an element of the screen, which is waited for; see `Target`. */
  tapElement: { call: (target: Given<Target>) => ({ target }), options: ({ waitMs }: Waiting) => ({ waitMs }) },
  /** Moves a finger from one point to another in 300 ms, or in `durationMs` of 50 to 30,000. */
  swipe: { call: (from: Point, to: Point) => ({ from, to }), options: held },
  /** Moves one or two fingers, step by step: the first is `begin`, the last `end`, all between `move`. */
  gesture: { call: (steps: Given<InputOf<'gesture'>['steps']>) => ({ steps }) },
  /** Types 1 to 10,000 printable US ASCII characters, tabs and line feeds. */
  typeText: { call: text, options: into },
  /** Inserts 1 to 10,000 Unicode characters at the caret, as a whole or not at all. */
  insertText: { call: text, options: into },
  /** Presses a key, together with `modifiers`, for 50 ms or for `durationMs` of 20 to 30,000. */
  pressKey: {
    call: (key: Key) => ({ key }),
    options: ({ modifiers, durationMs }: Held & { readonly modifiers?: readonly Modifier[] | undefined }) => ({
      modifiers,
      durationMs,
    }),
  },
  /** Presses a button for 50 ms, or for `durationMs` of 20 to 30,000. */
  pressButton: { call: (button: Button) => ({ button }), options: held },
  /** Turns the device to an absolute orientation. */
  rotate: { call: (orientation: Orientation) => ({ orientation }), alias: 'setOrientation' },
  /** Restarts the foreground app. */
  reload: { call: nothing, alias: 'reloadApp' },
  /** Scrolls by shares of the viewport, from -1 to 1; positive ones bring what comes later. */
  scroll: {
    call: (deltaX: number, deltaY: number) => ({ deltaX, deltaY }),
    options: ({
      at,
    }: {
      /** Position to scroll at; default: the centre of the display. */
      readonly at?: Point | undefined;
    }) => ({ x: at?.x, y: at?.y }),
  },
  /** Scrolls until an element is in sight, in the list that may hold it; see `Target`. */
  scrollTo: {
    call: (target: Given<Target>) => ({ target }),
    options: ({
      within,
      direction,
      waitMs,
    }: {
      /** The list to scroll, or what it stands in; default: the one that tells of the element, else the largest. */
      readonly within?: Given<Target> | undefined;
      /** The only direction to look in; default: down to the end, then up. */
      readonly direction?: ScrollDirection | undefined;
      /** Milliseconds to look for it, 0 to 30,000; default 10,000. */
      readonly waitMs?: number | undefined;
    }) => ({ within, direction, waitMs }),
  },
  /** Shows the software keyboard, or hides it. */
  toggleSoftwareKeyboard: { call: nothing },
  /** Makes the system tell its apps that memory is short. */
  simulateMemoryWarning: { call: nothing },
  /** Part of the vocabulary; phones answer it with `unsupported_action`. */
  rotateDigitalCrown: { call: delta },
  /** Shows how iOS draws. iOS only. */
  setRenderDebug: { call: (option: RenderOption, enabled: boolean) => ({ option, enabled }) },
  /** Lists the apps of the device, and tells which of them run and which is in front. */
  listApps: { call: nothing },
  /** Starts an app or brings it to the front, with `arguments` by name or a URL. */
  launchApp: {
    call: app,
    options: ({
      arguments: texts,
      url,
    }: {
      /** Texts by name: arguments "-name value" on iOS, extras of the intent on Android. */
      readonly arguments?: Readonly<Record<string, string>> | undefined;
      /** URL that the app is opened with. */
      readonly url?: string | undefined;
    }) => ({ arguments: texts, url }),
  },
  /** Ends an app. */
  terminateApp: { call: app },
  /** Ends an app and forgets everything that it has stored. */
  clearAppData: { call: app },
  /** Installs an uploaded app by its id; large ones need a `timeoutMs` above the default. */
  installApp: { call: (asset: string) => ({ asset }) },
  /** Removes an app that the session has brought. */
  uninstallApp: { call: app },
  /** Grants, revokes or resets a permission of an app that the session has brought. */
  setPermission: { call: (app: string, permission: Permission, access: Access) => ({ app, permission, access }) },
  /** Delivers a push notification, `{ aps: { alert } }` as Apple has it, to an app that the session has brought. */
  sendPush: { call: (app: string, payload: Given<InputOf<'sendPush'>['payload']>) => ({ app, payload }) },
  /** Shows the device the face or finger that it asks for, or another one. */
  authenticateBiometric: { call: (match: boolean) => ({ match }) },
  /** Sets where the device is: degrees north of the equator and east of Greenwich. */
  setLocation: {
    call: (latitude: number, longitude: number) => ({ latitude, longitude }),
    options: ({
      altitudeM,
      accuracyM,
    }: {
      /** Metres above the ellipsoid, where the device takes it. */
      readonly altitudeM?: number | undefined;
      /** Metres that the place may be off, where the device takes it. */
      readonly accuracyM?: number | undefined;
    }) => ({ altitudeM, accuracyM }),
  },
  /** Gives the device the location that it had before the session. */
  clearLocation: { call: nothing },
  /** Moves the location along the shortest ways between the points, in metres a second, until it is set or cleared. */
  followRoute: {
    call: (points: Given<InputOf<'followRoute'>['points']>, speedMPerS: number) => ({ points, speedMPerS }),
  },
  /** Tells where the device is, and how far along its route. */
  readLocation: { call: nothing },
  /** Changes settings of the device; the result tells those in force. */
  configureDevice: {
    call: nothing,
    options: ({
      appearance,
      locale,
      textScale,
      animations,
      network,
      downlinkKbps,
      uplinkKbps,
      networkDelayMs,
      networkLossPercent,
    }: {
      readonly appearance?: 'light' | 'dark' | undefined;
      /** Language, script and region, as BCP 47 has them: `de-DE`. */
      readonly locale?: string | undefined;
      /** Size of text, as a multiple of the usual one, 0.5 to 4. */
      readonly textScale?: number | undefined;
      readonly animations?: boolean | undefined;
      /** Whether its apps reach anything. */
      readonly network?: 'online' | 'offline' | undefined;
      /** Kilobits a second that its apps receive at most; 0 is no limit. */
      readonly downlinkKbps?: number | undefined;
      /** Kilobits a second that its apps send at most; 0 is no limit. */
      readonly uplinkKbps?: number | undefined;
      /** Milliseconds that an answer takes longer. */
      readonly networkDelayMs?: number | undefined;
      /** Percent of packets that get lost. */
      readonly networkLossPercent?: number | undefined;
    }) => ({
      appearance,
      locale,
      textScale,
      animations,
      network,
      downlinkKbps,
      uplinkKbps,
      networkDelayMs,
      networkLossPercent,
    }),
  },
  /** Puts the device back to how it was when the session began. */
  resetDevice: { call: nothing },
} as const satisfies Record<ActionName, Method>;

type Methods = typeof METHODS;
/** The arguments of an action's method, and its own options. */
export type ArgsOf<Name extends ActionName> = Parameters<Methods[Name]['call']>;
export type OptionsOf<Name extends ActionName> = Methods[Name] extends {
  readonly options: (given: infer Options) => object;
}
  ? Options
  : unknown;
/** The other name of an action's method; `never` where it has none. */
export type AliasOf<Name extends ActionName> = Methods[Name] extends { readonly alias: infer Alias } ? Alias : never;
