import { type Answered, type Ask, answeredBy } from './asks.ts';
import type { RestClient } from './rest-client.ts';

/** More than any test asks of one session. */
const DELETED_MAX = 60;

/** Calls of the routes about files. @param device path of its session */
export async function fileAsks(rest: RestClient, device: string) {
  const push = async (path: string): Promise<Answered> => {
    const init = { method: 'PUT', body: new Uint8Array(8) };
    return answeredBy(await rest.fetch(`${device}/files/content?path=${path}`, init));
  };
  const ask = async (method: string, path: string) => answeredBy(await rest.fetch(`${device}/${path}`, { method }));
  await push('asked');
  // Each is deleted once: one call cannot delete what another has.
  let left = 0;
  for (; left < DELETED_MAX; left++) await push(`deleted-${left}`);
  return {
    listFiles: [{ name: 'list files', ask: () => ask('GET', 'files') }],
    pullFile: [{ name: 'read a file', needsDisk: true, ask: () => ask('GET', 'files/content?path=asked') }],
    pushFile: [{ name: 'write a file', needsDisk: true, ask: () => push('asked') }],
    deleteFile: [{ name: 'delete a file', ask: () => ask('DELETE', `files?path=deleted-${--left}`) }],
  } as const satisfies Readonly<Record<string, readonly Ask[]>>;
}
