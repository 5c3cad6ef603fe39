import type { AppPackage } from '../device/app-package.ts';

/**
 * The messages between the gateway and a process that parses packages: one JSON text per line, because a hostile package may
 * control the answer, and JSON lines are the simplest format to validate.
 */

/** The path of a file on this host. */
export interface PackageQuestion {
  readonly call: number;
  readonly path: string;
  /** Limit of processor time. */
  readonly cpuMsMax: number;
}

export type PackageAnswer =
  /** The process is ready for calls. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly call: number; readonly read: ReadPackage; readonly last?: boolean }
  /** The package is invalid; the sentence is for its owner. */
  | { readonly kind: 'refused'; readonly call: number; readonly message: string; readonly last?: boolean }
  /** An internal error; the details are for the log. `last`: the process ends after this answer. */
  | { readonly kind: 'failed'; readonly call: number; readonly message: string; readonly last?: boolean };

export interface ReadPackage {
  /** SHA-256 of the file, 64 hex digits. */
  readonly checksum: string;
  readonly app: AppPackage;
}

/** Maximum length of an answer; descriptions and icons are limited to a fraction of this at their source. */
export const ANSWER_CHARACTERS_MAX = 4 * 2 ** 20;

const CHECKSUM = /^[0-9a-f]{64}$/;
const MESSAGE_CHARACTERS_MAX = 1_000;

/** Encodes a line without its line break. */
export function packageLine(answer: PackageAnswer): string {
  if (answer.kind !== 'read') return JSON.stringify(answer);
  const { icon, ...app } = answer.read.app;
  const read = { ...answer.read, app, ...(icon ? { icon: Buffer.from(icon).toString('base64') } : {}) };
  return JSON.stringify({ ...answer, read });
}

type Loose = Record<string, unknown>;

/** Parses and validates an answer; throws if it is malformed. The checksum is used as a file name, so it is checked strictly. */
export function readPackageLine(line: string): PackageAnswer {
  const answer = JSON.parse(line) as Loose;
  const { kind, call, message } = answer;
  if (kind === 'ready') return { kind };
  if (!Number.isSafeInteger(call)) throw new Error('an answer to no question');
  const facts = { call: call as number, ...(answer.last === true ? { last: true } : {}) };
  if (kind === 'read') return { kind, ...facts, read: readPackage(answer.read as Loose) };
  if ((kind !== 'refused' && kind !== 'failed') || typeof message !== 'string') throw new Error('no known answer');
  return { kind, ...facts, message: message.slice(0, MESSAGE_CHARACTERS_MAX) };
}

function readPackage({ checksum, app, icon }: Loose): ReadPackage {
  const { platform, identifier, name, version, ...rest } = app as Loose;
  const texts = [identifier, name, version, icon ?? ''].every((text) => typeof text === 'string');
  const lists = platform === 'ios' ? [rest.urlSchemes, rest.linkedHosts] : [rest.activities];
  if (typeof checksum !== 'string' || !CHECKSUM.test(checksum)) throw new Error('a checksum that is none');
  if (!texts || (platform !== 'ios' && platform !== 'android') || !lists.every(Array.isArray)) {
    throw new Error('a description of no app');
  }
  const picture = typeof icon === 'string' ? { icon: new Uint8Array(Buffer.from(icon, 'base64')) } : {};
  return { checksum, app: { ...(app as object), ...picture } as AppPackage };
}
