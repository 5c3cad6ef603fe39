import { PackageFault } from '../archive/package-fault.ts';
import { ByteReader } from './byte-reader.ts';
import { CHUNK, chunkAt, chunksIn, type ResourceValue, resourceValue } from './chunks.ts';
import { StringPool } from './string-pool.ts';

/** Large manifests have some thousand elements. */
const ELEMENTS_MAX = 50_000;
const ATTRIBUTES_MAX = 200_000;
const DEPTH_MAX = 64;
const ATTRIBUTE_BYTES = 20;

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, ResourceValue>;
  readonly children: readonly XmlElement[];
}

interface OpenElement extends XmlElement {
  readonly children: XmlElement[];
}

/**
 * Reads Android's binary XML (`ResXMLTree`). Attributes of the system are known by their resource ids, as the system
 * itself knows them: their names may be missing or wrong.
 * @param namesById resource id of an attribute, and its name
 * @throws PackageFault
 */
export function readBinaryXml(bytes: Buffer, what: string, namesById: ReadonlyMap<number, string>): XmlElement {
  const reader = new ByteReader(bytes, what);
  const file = chunkAt(reader, 0);
  if (file.type !== CHUNK.xml) throw new PackageFault(`${what} is not binary XML.`);
  let pool: StringPool | undefined;
  let ids: readonly number[] = [];
  const counts = { elements: 0, attributes: 0 };
  const root: OpenElement = { name: '', attributes: new Map(), children: [] };
  const open = [root];
  for (const chunk of chunksIn(reader, file.headerBytes, file.end)) {
    if (chunk.type === CHUNK.stringPool) pool ??= new StringPool(reader, chunk.at);
    else if (chunk.type === CHUNK.xmlResourceMap) ids = resourceIds(reader, chunk.at + chunk.headerBytes, chunk.end);
    else if (chunk.type === CHUNK.xmlEnd) open.length = Math.max(1, open.length - 1);
    else if (chunk.type === CHUNK.xmlStart) {
      if (!pool) throw new PackageFault(`${what} has an element before its texts.`);
      const element = startElement(reader, chunk.at + chunk.headerBytes, chunk.end, pool, { ids, namesById });
      counts.elements++;
      counts.attributes += element.attributes.size;
      if (counts.elements > ELEMENTS_MAX || counts.attributes > ATTRIBUTES_MAX) {
        throw new PackageFault(`${what} has more than ${ELEMENTS_MAX} elements or ${ATTRIBUTES_MAX} attributes.`);
      }
      if (open.length > DEPTH_MAX) throw new PackageFault(`${what} is nested deeper than ${DEPTH_MAX} levels.`);
      open.at(-1)?.children.push(element);
      open.push(element);
    }
  }
  const [first] = root.children;
  if (!first) throw new PackageFault(`${what} has no element.`);
  return first;
}

interface Names {
  /** Resource ids of the pool's first texts. */
  readonly ids: readonly number[];
  readonly namesById: ReadonlyMap<number, string>;
}

function startElement(reader: ByteReader, at: number, end: number, pool: StringPool, names: Names): OpenElement {
  const name = pool.get(reader.u32(at + 4)) ?? '';
  const first = at + reader.u16(at + 8);
  const stride = reader.u16(at + 10);
  const count = reader.u16(at + 12);
  if (count > 0 && (stride < ATTRIBUTE_BYTES || first + count * stride > end)) {
    throw new PackageFault(`${reader.what} has an element whose attributes leave it.`);
  }
  const attributes = new Map<string, ResourceValue>();
  for (let index = 0; index < count; index++) {
    const place = first + index * stride;
    const nameIndex = reader.u32(place + 4);
    const id = names.ids[nameIndex];
    const known = id === undefined ? undefined : names.namesById.get(id);
    const value = resourceValue(reader.u8(place + 15), reader.u32(place + 16), (text) => pool.get(text));
    attributes.set(known ?? pool.get(nameIndex) ?? '', value);
  }
  return { name, attributes, children: [] };
}

function resourceIds(reader: ByteReader, at: number, end: number): number[] {
  const ids: number[] = [];
  for (let place = at; place + 4 <= end; place += 4) ids.push(reader.u32(place));
  return ids;
}
