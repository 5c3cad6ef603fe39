import { LIMITS } from '../../protocol/limits.ts';

/** The URL as it was given. Its grammar is for the service to judge, which answers `invalid_url`. */
export function checkedUrl(url: unknown): string {
  const { min, max } = LIMITS.urlCharacters;
  if (typeof url !== 'string') throw new TypeError('"url" must be text.');
  if (url.length >= min && url.length <= max) return url;
  throw new RangeError(`"url" must be text of ${min} to ${max} characters.`);
}
