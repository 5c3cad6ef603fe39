import { isUtf8 } from 'node:buffer';
import { parse } from 'plist';
import { isBinaryPlist, type PlistDictionary, type PlistValue, readBinaryPlist } from './binary-plist.ts';
import { PackageFault } from './package-fault.ts';

export type { PlistDictionary, PlistValue } from './binary-plist.ts';

const DEPTH_MAX = 32;
const TAGS_MAX = 100_000;

/** Reads a property list in XML or binary form. Throws `PackageFault`, also when it is no dictionary. */
export function readPropertyList(bytes: Buffer, what: string): PlistDictionary {
  const value = isBinaryPlist(bytes) ? readBinaryPlist(bytes, what) : readXmlPlist(bytes, what);
  if (!(value instanceof Map)) throw new PackageFault(`${what} is no dictionary.`);
  return value;
}

function readXmlPlist(bytes: Buffer, what: string): PlistValue {
  const xml = isUtf8(bytes) ? bytes.toString('utf8').replace(/^\uFEFF/, '') : '';
  if (!/^\s*</.test(xml)) throw new PackageFault(`${what} is neither a binary nor a UTF-8 XML property list.`);
  refuseXmlTricks(xml, what);
  let value: unknown;
  try {
    value = parse(xml);
  } catch {
    throw new PackageFault(`${what} is no sound XML property list.`);
  }
  return toPlistValue(value);
}

/** Entities could multiply, and nesting could exhaust the stack, before the library would notice. */
function refuseXmlTricks(xml: string, what: string): void {
  if (/<!ENTITY|<!DOCTYPE[^>]*\[/i.test(xml)) {
    throw new PackageFault(`${what} declares entities, which a property list does not need.`);
  }
  let depth = 0;
  let tags = 0;
  for (const [tag] of xml.matchAll(/<[^!?>][^>]*>/g)) {
    if (++tags > TAGS_MAX) throw new PackageFault(`${what} has more than ${TAGS_MAX} tags.`);
    if (tag.startsWith('</')) depth--;
    else if (!tag.endsWith('/>') && ++depth > DEPTH_MAX) {
      throw new PackageFault(`${what} is nested deeper than ${DEPTH_MAX} levels.`);
    }
  }
}

function toPlistValue(value: unknown): PlistValue {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(toPlistValue);
  if (typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array)
    return undefined;
  return new Map(Object.entries(value).map(([key, item]) => [key, toPlistValue(item)]));
}
