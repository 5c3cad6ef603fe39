import { urlFault } from '../../protocol/url-rules.ts';

/** The URL as it was given, by the contract's own rules. */
export function checkedUrl(url: unknown): string {
  if (typeof url !== 'string') throw new TypeError('"url" must be text.');
  const fault = urlFault(url);
  if (fault) throw new RangeError(`"url" ${fault}`);
  return url;
}
