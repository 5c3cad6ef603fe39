import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeviceFault } from '../../../device/fault.ts';
import { systemClock } from '../../../flow/clock.ts';
import { poll } from '../../../flow/poll.ts';
import { isOver } from '../../process/is-over.ts';
import { readOwnFile } from '../../process/own-file.ts';
import type { KeyExchange } from '../emulator/running-emulators.ts';
import { AccessTokens } from './access-tokens.ts';
import { METHOD_PATHS } from './messages.ts';

/** An emulator takes a key within a tenth of a second. */
const TAKEN = { everyMs: 50, forMs: 5_000 } as const;
/** A key has some 200 bytes. */
const ACTIVE_BYTES_MAX = 1_048_576;

/** How an emulator's control service is to be spoken to, by its discovery file. */
export interface ControlAddress {
  readonly port: number;
  /** Secret. */
  readonly token?: string | undefined;
  readonly keys?: KeyExchange | undefined;
}

/** The right to call one emulator's control service. */
export interface ControlAccess {
  /** The value of the header `authorization`; absent if the service accepts every local caller. */
  authorization(): string | undefined;
  /** Gives the right up. */
  close(): void;
}

/**
 * The best of what the emulator offers: tokens of an own key, its own token, or nothing. A key that it does not take is no
 * obstacle where it has a token as well. Rejects with an `unavailable` fault.
 */
export async function openAccess({ token, keys }: ControlAddress): Promise<ControlAccess> {
  const plain: ControlAccess = {
    authorization: () => (token === undefined ? undefined : `Bearer ${token}`),
    close: () => undefined,
  };
  if (!keys) return plain;
  try {
    return await exchangeKey(keys);
  } catch (error) {
    if (token !== undefined) return plain;
    throw error;
  }
}

async function exchangeKey({ folder, active }: KeyExchange): Promise<ControlAccess> {
  const tokens = new AccessTokens(METHOD_PATHS);
  const { kid } = tokens.publicKey;
  const file = join(folder, `runcloud-${process.pid}-${kid}.jwk`);
  const close = () => rmSync(file, { force: true });
  try {
    removeLeftKeys(folder);
    // Only the public half ever leaves this process.
    writeFileSync(file, JSON.stringify({ keys: [tokens.publicKey] }), { flag: 'wx', mode: 0o600 });
  } catch {
    throw refused('its folder for keys cannot be written to');
  }
  if (!(await poll(systemClock, TAKEN, () => isActive(active, kid)))) {
    close();
    throw refused('it did not take the key');
  }
  return { authorization: () => `Bearer ${tokens.token(Date.now())}`, close };
}

/** Keys of processes that were killed. Their other halves are gone, so that they open nothing; they are only in the way. */
function removeLeftKeys(folder: string): void {
  for (const name of readdirSync(folder)) {
    const owner = /^runcloud-(\d{1,10})-[\w-]+\.jwk$/.exec(name)?.[1];
    if (owner === undefined) continue;
    const path = join(folder, name);
    if (isOver(Number(owner), lstatSync(path).birthtimeMs)) rmSync(path, { force: true });
  }
}

/** True when the emulator's list of active keys contains this one. */
function isActive(file: string, kid: string): boolean {
  try {
    const { keys } = JSON.parse(readOwnFile(file, ACTIVE_BYTES_MAX)?.text ?? '') as { readonly keys?: unknown };
    return Array.isArray(keys) && keys.some((key) => key?.kid === kid);
  } catch {
    // There is none yet, or it is being written.
    return false;
  }
}

const refused = (why: string) =>
  new DeviceFault('unavailable', `The emulator's control service accepts no call without a key: ${why}.`);
