import { plainLine } from '../process/plain-line.ts';

/** Kinds of failed `simctl` calls. */
export type SimctlFailure =
  /** It is already in the state that was asked for, or in one that does not allow the call: exit code 149. */
  | { readonly kind: 'wrongState'; readonly state: string | undefined }
  /** LaunchServices knows no app for the URL: exit code 115. Also told while it is not ready yet. */
  | { readonly kind: 'noHandler' }
  /** An app exists and was refused or did not take it. */
  | { readonly kind: 'refused' }
  /** The simulator, the app or the device type is unknown. */
  | { readonly kind: 'missing' }
  /** The app that was to end has no process. */
  | { readonly kind: 'notRunning' }
  | { readonly kind: 'other' };

const WRONG_STATE_CODE = 149;
const NO_HANDLER_CODE = 115;

/** Older releases of Xcode tell of LaunchServices' own error, with an exit code of its remainder. */
const NO_HANDLER = /LSApplicationWorkspaceErrorDomain(?:, code=| error )115\b|code=-10814\b/;
const STATE = /current state: (Shutdown|Booted|Booting|Shutting Down|Creating)\b/;
const NOT_RUNNING = /found nothing to terminate/;
const REFUSED = /FBSOpenApplicationServiceErrorDomain, code=1\b/;
const MISSING = /Invalid device|No such file or directory|FBSOpenApplicationServiceErrorDomain, code=4\b/;

/** @param code exit status; `simctl` gives the error's own code, cut to eight bits */
export function readSimctlFailure(code: number, text: string): SimctlFailure {
  const state = STATE.exec(text)?.[1];
  if (code === WRONG_STATE_CODE || state !== undefined) return { kind: 'wrongState', state };
  if (code === NO_HANDLER_CODE || NO_HANDLER.test(text)) return { kind: 'noHandler' };
  if (NOT_RUNNING.test(text)) return { kind: 'notRunning' };
  if (REFUSED.test(text)) return { kind: 'refused' };
  if (MISSING.test(text)) return { kind: 'missing' };
  return { kind: 'other' };
}

/** Enough of a long text for its first lines. */
const TEXT_CHARACTERS_MAX = 4_096;
const PATH = /(?:~|\/(?:Users|private|var|Library|Applications|tmp))\/[^\s'"]*/g;

/** The first line that says something, for a message to a caller: one plain line, without paths of this host. */
export function failureSentence(text: string): string {
  const lines = text
    .slice(0, TEXT_CHARACTERS_MAX)
    .split('\n')
    .map((line) => plainLine(plainLine(line).replace(PATH, 'a file')));
  const telling = lines.find((line) => line !== '' && !line.startsWith('An error was encountered processing'));
  return telling ?? lines.find((line) => line !== '') ?? 'no reason was given';
}
