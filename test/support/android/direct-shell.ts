import type { GuestShell } from '../../../server/drivers/android/adb/guest-shell.ts';
import type { GuestSystem } from './guest-system.ts';

/** The commands of a stand-in without adb and without programs between: what the driver's shell gives. */
export function directShell({ answer }: GuestSystem): GuestShell {
  const { signal } = new AbortController();
  const ask = async (words: readonly string[]) => {
    const { code = 0, out = '' } = await answer(words, new Uint8Array(), signal);
    return { exitCode: code, bytes: Buffer.from(out) };
  };
  const shell: Pick<GuestShell, 'run' | 'must' | 'bytes'> = {
    run: async (words) => {
      const { exitCode, bytes } = await ask(words);
      return { exitCode, output: bytes.toString() };
    },
    must: async (words) => (await ask(words)).bytes.toString(),
    bytes: async (words) => (await ask(words)).bytes,
  };
  return shell as GuestShell;
}
