import { isUtf8 } from 'node:buffer';
import { parse } from 'plist';
import { PackageFault } from '../archive/package-fault.ts';
import { isBinaryPlist, type PlistDictionary, type PlistValue, readBinaryPlist } from './binary-plist.ts';

export type { PlistDictionary, PlistValue } from './binary-plist.ts';

const DEPTH_MAX = 32;
/** Comments and the like included. */
const TAGS_MAX = 100_000;
const TAG_CHARACTERS_MAX = 1_000;
/** Attributes are in quotes, in which nothing looks like the beginning or the end of a tag. */
const TAG = /^<\/?[^\s"'<>/]+[^"'<>]*(?:(?:"[^"<>]*"|'[^'<>]*')[^"'<>]*)*>$/;
/** The library would tell of each at length. */
const STRAY_AND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)/;
/** Sections with these delimiters contain no tags, whatever their content. */
const HIDDEN: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

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
    throw new PackageFault(`${what} is not a valid XML property list.`);
  }
  return toPlistValue(value);
}

/**
 * Entities could multiply, nesting could exhaust the stack, and what has no end could be searched again and again, before
 * the library would notice. One pass over the text, which never goes back.
 */
function refuseXmlTricks(xml: string, what: string): void {
  const invalid = (why: string) => new PackageFault(`${what} is not a valid XML property list: ${why}.`);
  let depth = 0;
  let tags = 0;
  let textAt = 0;
  for (let at = xml.indexOf('<'); at >= 0; at = xml.indexOf('<', textAt)) {
    if (++tags > TAGS_MAX) throw new PackageFault(`${what} has more than ${TAGS_MAX} tags.`);
    if (STRAY_AND.test(xml.slice(textAt, at))) throw invalid('it has a & that begins nothing');
    const hidden = HIDDEN.find(([begin]) => xml.startsWith(begin, at));
    const [begin, end] = hidden ?? ['<', '>'];
    const endAt = xml.indexOf(end, at + begin.length);
    if (endAt < 0) throw invalid('it ends in the middle of a tag or a comment');
    textAt = endAt + end.length;
    if (hidden) continue;
    const tag = xml.slice(at, textAt);
    if (tag.startsWith('<!')) {
      if (/^<!DOCTYPE/i.test(tag) && !tag.includes('[')) continue;
      throw new PackageFault(`${what} declares entities, which a property list does not need.`);
    }
    if (tag.length > TAG_CHARACTERS_MAX || !TAG.test(tag)) throw invalid('it has a tag that is none');
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
