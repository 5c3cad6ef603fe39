import { PackageFault } from '../archive/package-fault.ts';
import type { ZipArchive } from '../archive/zip-archive.ts';
import { type PlistDictionary, readPropertyList } from './property-list.ts';

const ENTITLEMENTS_BYTES_MAX = 2 ** 20;
/** Entitlements before their key, and after it, that are kept while an executable is searched. */
const WINDOW_BYTES = 256 * 1024;
/** Executables are searched this far; it takes a second or two. */
const SEARCHED_BYTES_MAX = 512 * 2 ** 20;
const DOMAINS_KEY = 'com.apple.developer.associated-domains';
const KEY_TAG = `<key>${DOMAINS_KEY}</key>`;
const END_TAG = '</plist>';
const HOSTS_MAX = 1_000;
const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/;

/**
 * Hosts whose links the app opens: the `applinks:` entries of its associated domains. Entitlements are in
 * `archived-expanded-entitlements.xcent`, or inside the executable, where the signature and the Simulator's section
 * keep them as an XML property list. An app without either has none.
 */
export async function linkedHosts(archive: ZipArchive, folder: string, executable: string): Promise<string[]> {
  const entitlements = await entitlementsIn(archive, folder, executable);
  const domains = entitlements?.get(DOMAINS_KEY);
  const hosts = new Set<string>();
  for (const domain of Array.isArray(domains) ? domains : [domains]) {
    if (typeof domain !== 'string' || !domain.startsWith('applinks:')) continue;
    // `?mode=developer` and the like say how the link is verified, not where it leads.
    const host = domain.slice('applinks:'.length).split('?', 1)[0]?.toLowerCase() ?? '';
    if (HOST.test(host)) hosts.add(host);
  }
  if (hosts.size > HOSTS_MAX) throw new PackageFault(`The app is associated with more than ${HOSTS_MAX} domains.`);
  return [...hosts];
}

async function entitlementsIn(
  archive: ZipArchive,
  folder: string,
  executable: string,
): Promise<PlistDictionary | undefined> {
  const archived = archive.read(`${folder}archived-expanded-entitlements.xcent`, ENTITLEMENTS_BYTES_MAX);
  if (archived) return readPropertyList(archived, 'archived-expanded-entitlements.xcent');
  return executable === '' ? undefined : searchEntitlements(archive.pieces(folder + executable));
}

/** The property list around the first mention of the key, wherever the executable keeps it. */
async function searchEntitlements(pieces: AsyncIterable<Buffer>): Promise<PlistDictionary | undefined> {
  let window: Buffer = Buffer.alloc(0);
  let searchedBytes = 0;
  for await (const piece of pieces) {
    searchedBytes += piece.length;
    if (searchedBytes > SEARCHED_BYTES_MAX) return undefined;
    window = Buffer.concat([window, piece]);
    const key = window.indexOf(KEY_TAG);
    if (key < 0) {
      window = window.subarray(-WINDOW_BYTES);
      continue;
    }
    const end = window.indexOf(END_TAG, key);
    if (end < 0 && window.length - key < WINDOW_BYTES) continue;
    const from = window.lastIndexOf('<?xml', key);
    return from < 0 || end < 0 ? undefined : readFound(window.subarray(from, end + END_TAG.length));
  }
  return undefined;
}

function readFound(bytes: Buffer): PlistDictionary | undefined {
  try {
    return readPropertyList(bytes, 'The entitlements');
  } catch (error) {
    // Text that only looks like entitlements is no reason to refuse the app.
    if (error instanceof PackageFault) return undefined;
    throw error;
  }
}
