import type { SessionRecord } from '../../../sdk/types.ts';

/** A session without its signed address, which only `view` prints. */
export function shown({ url: _url, ...record }: SessionRecord): Omit<SessionRecord, 'url'> {
  return record;
}

/** One line for a person. */
export const lineOf = ({ id, platform, status, device }: SessionRecord): string =>
  `${id}  ${platform}  ${status}  ${device.model} (${device.osVersion})`;
