import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Forms of a body on the way (RFC 9110, section 8.4.1), the smallest first. */
const CODINGS = ['br', 'gzip', 'identity'] as const;
export type ContentCoding = (typeof CODINGS)[number];

/** Nearly as small as the highest quality, which takes seconds for a large script. */
const BROTLI_QUALITY = 9;

/** A body in all its forms, made off this thread. */
export async function encoded(body: Uint8Array): Promise<Readonly<Record<ContentCoding, Uint8Array>>> {
  const parameters = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(body, { params: parameters }),
    promisify(gzip)(body, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { br, gzip: gzipped, identity: body };
}

/** The smallest form that a client takes, by its `Accept-Encoding` (RFC 9110, section 12.5.3). */
export function codingFor(acceptEncoding: string | undefined): ContentCoding {
  const accepted = (acceptEncoding ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';', 1)[0]?.trim());
  return CODINGS.find((coding) => accepted.includes(coding)) ?? 'identity';
}
