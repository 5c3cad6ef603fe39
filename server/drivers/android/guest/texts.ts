/** Parsers of the device's command output, which is untrusted text. */

/** Package names (Android manifest reference); nothing else is ever put into a command as one. */
const PACKAGE_NAME = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*$/;
const PACKAGE_CHARACTERS_MAX = 255;

export const isPackageName = (text: string): boolean =>
  text.length <= PACKAGE_CHARACTERS_MAX && PACKAGE_NAME.test(text);

/** The package of a component such as `com.a/.Main`, or `undefined` when that is none. */
export function packageOf(component: string): string | undefined {
  const [name = ''] = component.split('/', 1);
  return component.includes('/') && isPackageName(name) ? name : undefined;
}

/**
 * The package in front, from `dumpsys window displays` (`dumpsys window windows` of older releases); `undefined` when there
 * is none.
 */
export function foregroundPackage(dump: string): string | undefined {
  const found = /m(?:FocusedApp|CurrentFocus)=[^\n]{0,200}?\su\d+\s([\w.]+)\//.exec(dump);
  const name = found?.[1];
  return name !== undefined && isPackageName(name) ? name : undefined;
}

/** The last line of `cmd package resolve-activity --brief`, when it is a component. */
export function resolvedComponent(output: string): string | undefined {
  const last = output.trim().split('\n').at(-1)?.trim() ?? '';
  return /^[\w.]+\/[\w.$]+$/.test(last) && packageOf(last) !== undefined ? last : undefined;
}

/** Package names of `pm list packages`. */
export function listedPackages(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    const name = line.trim().replace(/^package:/, '');
    return line.startsWith('package:') && isPackageName(name) ? [name] : [];
  });
}

/** Packages that have a process, from `ps -A -o NAME`; a process of a service has a name behind a colon. */
export function runningPackages(output: string): ReadonlySet<string> {
  return new Set(output.split('\n').map((line) => line.trim().split(':', 1)[0] ?? ''));
}

/** How `am start -W` ended; its exit code says so only since Android 15. */
export type StartOutcome =
  | { readonly kind: 'started'; readonly handler: string | undefined }
  | { readonly kind: 'unresolved' }
  | { readonly kind: 'refused'; readonly line: string };

export function startOutcome(output: string): StartOutcome {
  if (/unable to resolve intent/i.test(output)) return { kind: 'unresolved' };
  // The device repeats the URL, in which U+2028 and the like would begin a line for `^` with the flag `m`.
  const lines = output.split('\n').map((line) => line.trim());
  const refused = lines.find((line) => /^(?:Error|Exception|java\.\w|Security exception)/i.test(line));
  if (refused !== undefined) return { kind: 'refused', line: refused };
  const after = (start: string) =>
    lines
      .find((line) => line.startsWith(start))
      ?.slice(start.length)
      .trim();
  const component = after('Activity:');
  const started = after('Status:');
  // A task that is brought to the front, or an intent that is delivered to it, is a start too.
  const warned = after('Warning: Activity not started') !== undefined;
  if (started === 'timeout') return { kind: 'refused', line: 'the activity did not come up in time' };
  if (started !== 'ok' && !warned && component === undefined) return { kind: 'refused', line: output };
  return { kind: 'started', handler: component === undefined ? undefined : packageOf(component) };
}

/** Components of `cmd package query-activities --brief`, in their order. */
export function queriedComponents(output: string): string[] {
  return output.split('\n').flatMap((line) => {
    const component = line.trim();
    return /^[\w.]+\/[\w.$]+$/.test(component) && packageOf(component) !== undefined ? [component] : [];
  });
}

/** Why `cmd package install` failed; `undefined` when it did not. */
export function installFailure(output: string): string | undefined {
  if (output.split('\n').some((line) => /^Success\b/.test(line))) return undefined;
  return /Failure \[([^\]\n]{1,300})/.exec(output)?.[1] ?? (output.trim() === '' ? 'it said nothing' : output);
}

/** Width and height of `wm size`, in the natural orientation; an override counts. */
export function displaySize(output: string): { width: number; height: number } | undefined {
  const found = /Override size: (\d{2,5})x(\d{2,5})/.exec(output) ?? /Physical size: (\d{2,5})x(\d{2,5})/.exec(output);
  return found ? { width: Number(found[1]), height: Number(found[2]) } : undefined;
}

/** Dots per inch at which a density-independent pixel is a pixel. */
export const DPI_OF_ONE = 160;

/** Dots per inch of `wm density`. */
export function displayDensity(output: string): number | undefined {
  const found = /Override density: (\d{2,4})/.exec(output) ?? /Physical density: (\d{2,4})/.exec(output);
  return found ? Number(found[1]) : undefined;
}

/** Width and height of the active display as it is turned, from `dumpsys window displays`. */
export function currentSize(dump: string): { width: number; height: number } | undefined {
  const found = /\bcur=(\d{2,5})x(\d{2,5})\b/.exec(dump);
  return found ? { width: Number(found[1]), height: Number(found[2]) } : undefined;
}

/** Quarter turns of the display, from `dumpsys window displays`. */
export function displayRotation(dump: string): 0 | 1 | 2 | 3 | undefined {
  const found = /m(?:Current|Display)?Rotation=(?:ROTATION_)?(0|1|2|3|90|180|270)\b/.exec(dump)?.[1];
  if (found === undefined) return undefined;
  const number = Number(found);
  return (number > 3 ? number / 90 : number) as 0 | 1 | 2 | 3;
}
