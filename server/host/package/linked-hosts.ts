import { PackageFault } from './package-fault.ts';
import { type PlistDictionary, readPropertyList } from './property-list.ts';
import type { ZipArchive } from './zip-archive.ts';

const ENTITLEMENTS_BYTES_MAX = 2 ** 20;
/** Executables that are searched for entitlements; a larger one is left alone, since all of it has to be in memory. */
const EXECUTABLE_BYTES_MAX = 64 * 2 ** 20;
const DOMAINS_KEY = 'com.apple.developer.associated-domains';
const HOSTS_MAX = 1_000;
const HOST = /^(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/;

/**
 * Hosts whose links the app opens: the `applinks:` entries of its associated domains. Entitlements are in
 * `archived-expanded-entitlements.xcent`, or inside the executable, where the signature and the Simulator's section
 * keep them as an XML property list. An app without either has none.
 */
export function linkedHosts(archive: ZipArchive, folder: string, executable: string): string[] {
  const entitlements = entitlementsIn(archive, folder, executable);
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

function entitlementsIn(archive: ZipArchive, folder: string, executable: string): PlistDictionary | undefined {
  const archived = archive.read(`${folder}archived-expanded-entitlements.xcent`, ENTITLEMENTS_BYTES_MAX);
  if (archived) return readPropertyList(archived, 'archived-expanded-entitlements.xcent');
  const name = folder + executable;
  if (executable === '' || archive.sizeOf(name) > EXECUTABLE_BYTES_MAX) return undefined;
  const binary = archive.read(name, EXECUTABLE_BYTES_MAX);
  return binary && searchEntitlements(binary);
}

/** The property list around the key, wherever the executable keeps it. */
function searchEntitlements(binary: Buffer): PlistDictionary | undefined {
  const key = binary.indexOf(`<key>${DOMAINS_KEY}</key>`);
  if (key < 0) return undefined;
  const from = binary.lastIndexOf('<?xml', key);
  const end = binary.indexOf('</plist>', key);
  if (from < 0 || end < 0 || end - from > ENTITLEMENTS_BYTES_MAX) return undefined;
  try {
    return readPropertyList(binary.subarray(from, end + '</plist>'.length), 'The entitlements');
  } catch (error) {
    // Text that only looks like entitlements is no reason to refuse the app.
    if (error instanceof PackageFault) return undefined;
    throw error;
  }
}
