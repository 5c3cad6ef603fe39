import type { AppPackage } from '../device/app-package.ts';

/**
 * The messages between the gateway and a process that reads packages: one JSON text a line, because an answer from
 * there may be made by a hostile package, and nothing else is as simple to check.
 */

/** The path of a file on this host. */
export interface PackageQuestion {
  readonly call: number;
  readonly path: string;
  /** Processor time that the answer may take. */
  readonly cpuMsMax: number;
}

export type PackageAnswer =
  /** The process takes questions from now on. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'read'; readonly call: number; readonly read: ReadPackage; readonly last?: boolean }
  /** The package is at fault; the sentence is for its owner. */
  | { readonly kind: 'refused'; readonly call: number; readonly message: string; readonly last?: boolean }
  /** We are at fault; the words are for the log. `last`: the process ends with this answer. */
  | { readonly kind: 'failed'; readonly call: number; readonly message: string; readonly last?: boolean };

export interface ReadPackage {
  /** SHA-256 of the file, 64 hex digits. */
  readonly checksum: string;
  readonly app: AppPackage;
}

/** Longer answers are none: descriptions and icons are bounded to a fraction of this where they are made. */
export const ANSWER_CHARACTERS_MAX = 4 * 2 ** 20;

const CHECKSUM = /^[0-9a-f]{64}$/;
const MESSAGE_CHARACTERS_MAX = 1_000;

/** Without the end of the line. */
export function packageLine(answer: PackageAnswer): string {
  if (answer.kind !== 'read') return JSON.stringify(answer);
  const { icon, ...app } = answer.read.app;
  const read = { ...answer.read, app, ...(icon ? { icon: Buffer.from(icon).toString('base64') } : {}) };
  return JSON.stringify({ ...answer, read });
}

type Loose = Record<string, unknown>;

/** The answer in a line; throws for what is none. The checksum becomes the name of a file, so it is one for certain. */
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
