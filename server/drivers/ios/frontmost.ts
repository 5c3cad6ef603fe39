/**
 * Reads the running apps of the guest from `launchctl print`. Its output is made for people, so only documented parts
 * are used.
 */

/** Reverse domain names, as the App Store has them. */
const BUNDLE = '[A-Za-z0-9][A-Za-z0-9.-]{0,154}';
const SERVICE = new RegExp(
  `^\\s*(\\d{1,10})\\s+\\S+\\s+(UIKitApplication:(${BUNDLE})(?:\\[[0-9a-zA-Z-]{1,40}\\]){0,4})\\s*$`,
);
const BUNDLE_NAME = new RegExp(`^${BUNDLE}$`);

export interface RunningApp {
  readonly bundle: string;
  /** The name of its job, to ask for more. */
  readonly service: string;
  readonly pid: number;
}

export const isBundleIdentifier = (text: string): boolean => BUNDLE_NAME.test(text);

/** Apps with a process, out of `launchctl print user/501`. */
export function readRunningApps(text: string): RunningApp[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, service, bundle] = SERVICE.exec(line) ?? [];
    if (pid === undefined || service === undefined || bundle === undefined || Number(pid) === 0) return [];
    return [{ bundle, service, pid: Number(pid) }];
  });
}

/** True when the job of `launchctl print user/501/<service>` is the app in the foreground. */
export function isFocal(text: string): boolean {
  return /^\s*state = running\s*$/m.test(text) && /^\s*spawn role = ui focal\b/m.test(text);
}
