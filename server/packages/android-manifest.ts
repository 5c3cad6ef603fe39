import { PackageFault, shown } from '../archive/package-fault.ts';
import type { LinkActivity, LinkAuthority, LinkFilter, PathRule } from '../device/app-package.ts';
import type { XmlElement } from './binary-xml.ts';
import type { ResourceValue } from './chunks.ts';

/** Attributes of the system that a manifest is read for, by their resource ids (`android.R.attr`). */
export const MANIFEST_ATTRIBUTES: ReadonlyMap<number, string> = new Map([
  [0x01010001, 'label'],
  [0x01010002, 'icon'],
  [0x01010003, 'name'],
  [0x0101000e, 'enabled'],
  [0x01010010, 'exported'],
  [0x01010026, 'mimeType'],
  [0x01010027, 'scheme'],
  [0x01010028, 'host'],
  [0x01010029, 'port'],
  [0x0101002a, 'path'],
  [0x0101002b, 'pathPrefix'],
  [0x0101002c, 'pathPattern'],
  [0x0101020c, 'minSdkVersion'],
  [0x0101021b, 'versionCode'],
  [0x0101021c, 'versionName'],
  [0x01010270, 'targetSdkVersion'],
  [0x010104ee, 'autoVerify'],
]);

const PACKAGE_NAME = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/;
const PACKAGE_NAME_CHARACTERS_MAX = 255;
/** RFC 3986, section 3.1. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,254}$/;
const TEXT_CHARACTERS_MAX = 2_048;
/** Schemes, authorities and paths in all; they travel with every session that installs the app. */
const RULES_MAX = 5_000;
/** From Android 12 on an activity with a filter has to say whether it is exported. */
const EXPLICIT_EXPORT_SDK = 31;
/** Preview releases name themselves with a letter; they are newer than any number. */
const PREVIEW_SDK = 10_000;

const VIEW = 'android.intent.action.VIEW';
const CATEGORIES = ['android.intent.category.DEFAULT', 'android.intent.category.BROWSABLE'];

/** Resolves a resource reference. */
export type Resolve = (id: number) => ResourceValue | undefined;

export interface ManifestFacts {
  readonly identifier: string;
  readonly version: string;
  readonly label: ResourceValue | undefined;
  readonly icon: ResourceValue | undefined;
  readonly activities: readonly LinkActivity[];
}

/** Throws `PackageFault`. */
export function readManifest(manifest: XmlElement, resolve: Resolve): ManifestFacts {
  if (manifest.name !== 'manifest') throw new PackageFault('AndroidManifest.xml does not begin with <manifest>.');
  const read = new AttributeReader(resolve);
  const identifier = read.text(manifest, 'package') ?? '';
  if (!PACKAGE_NAME.test(identifier) || identifier.length > PACKAGE_NAME_CHARACTERS_MAX) {
    throw new PackageFault(`"${shown(identifier)}" is no package name of Android.`);
  }
  if (manifest.attributes.has('split')) throw new PackageFault('The file is one split of an app; upload a whole APK.');
  const application = manifest.children.find(({ name }) => name === 'application');
  if (!application) throw new PackageFault('AndroidManifest.xml has no <application>.');
  const sdk = manifest.children.find(({ name }) => name === 'uses-sdk');
  const targetSdk = sdk ? (read.sdk(sdk, 'targetSdkVersion') ?? read.sdk(sdk, 'minSdkVersion') ?? 1) : 1;
  const enabled = read.flag(application, 'enabled') ?? true;
  const rules = { left: RULES_MAX };
  return {
    identifier,
    version: read.text(manifest, 'versionName') ?? '',
    label: application.attributes.get('label'),
    icon: application.attributes.get('icon'),
    activities: enabled
      ? application.children.flatMap((element) => linkActivity(element, identifier, targetSdk, read, rules))
      : [],
  };
}

/** Reads attributes whose value may be a reference. */
class AttributeReader {
  readonly #resolve: Resolve;

  constructor(resolve: Resolve) {
    this.#resolve = resolve;
  }

  text(element: XmlElement, name: string): string | undefined {
    const value = this.#value(element, name);
    if (value?.kind === 'number') return String(value.number);
    return value?.kind === 'text' ? value.text.slice(0, TEXT_CHARACTERS_MAX) : undefined;
  }

  flag(element: XmlElement, name: string): boolean | undefined {
    const value = this.#value(element, name);
    if (value?.kind === 'text') return value.text === 'true';
    return value?.kind === 'boolean' ? value.value : undefined;
  }

  sdk(element: XmlElement, name: string): number | undefined {
    const text = this.text(element, name);
    if (text === undefined) return undefined;
    return /^\d+$/.test(text) ? Number(text) : PREVIEW_SDK;
  }

  #value(element: XmlElement, name: string): ResourceValue | undefined {
    const value = element.attributes.get(name);
    return value?.kind === 'reference' ? this.#resolve(value.id) : value;
  }
}

interface Rules {
  left: number;
}

function linkActivity(
  element: XmlElement,
  packageName: string,
  targetSdk: number,
  read: AttributeReader,
  rules: Rules,
): LinkActivity[] {
  if (element.name !== 'activity' && element.name !== 'activity-alias') return [];
  const filters = element.children.filter(({ name }) => name === 'intent-filter');
  const exported = read.flag(element, 'exported') ?? (filters.length > 0 && targetSdk < EXPLICIT_EXPORT_SDK);
  if (!exported || read.flag(element, 'enabled') === false) return [];
  const linking = filters.flatMap((filter) => linkFilter(filter, read, rules));
  if (linking.length === 0) return [];
  return [{ name: className(read.text(element, 'name') ?? '', packageName), filters: linking }];
}

function className(name: string, packageName: string): string {
  if (name.startsWith('.')) return packageName + name;
  return name.includes('.') ? name : `${packageName}.${name}`;
}

/** The filter's data part, when a browser's link can reach it. */
function linkFilter(filter: XmlElement, read: AttributeReader, rules: Rules): LinkFilter[] {
  const names = (kind: string) =>
    filter.children.filter(({ name }) => name === kind).map((item) => read.text(item, 'name'));
  const categories = names('category');
  if (!names('action').includes(VIEW) || !CATEGORIES.every((category) => categories.includes(category))) return [];
  const data = filter.children.filter(({ name }) => name === 'data');
  // A link says nothing of a media type, so a filter that wants one does not match it.
  if (data.some((item) => item.attributes.has('mimeType'))) return [];
  const schemes = data.flatMap((item) => schemeOf(item, read));
  if (schemes.length === 0) return [];
  const authorities = data.flatMap((item) => authorityOf(item, read));
  const paths = data.flatMap((item) => pathsOf(item, read));
  rules.left -= schemes.length + authorities.length + paths.length;
  if (rules.left < 0) throw new PackageFault(`The app declares more than ${RULES_MAX} schemes, hosts and paths.`);
  return [{ schemes: [...new Set(schemes)], authorities, paths, autoVerify: read.flag(filter, 'autoVerify') ?? false }];
}

function schemeOf(data: XmlElement, read: AttributeReader): string[] {
  const scheme = read.text(data, 'scheme');
  return scheme !== undefined && SCHEME.test(scheme) ? [scheme.toLowerCase()] : [];
}

function authorityOf(data: XmlElement, read: AttributeReader): LinkAuthority[] {
  const host = read.text(data, 'host');
  if (host === undefined || host === '') return [];
  const port = Number(read.text(data, 'port') ?? -1);
  return [{ host: host.toLowerCase(), ...(Number.isInteger(port) && port >= 0 && port <= 65_535 ? { port } : {}) }];
}

const PATH_KINDS: readonly (readonly [attribute: string, kind: PathRule['kind']])[] = [
  ['path', 'literal'],
  ['pathPrefix', 'prefix'],
  ['pathSuffix', 'suffix'],
  ['pathPattern', 'pattern'],
  ['pathAdvancedPattern', 'advanced'],
];

function pathsOf(data: XmlElement, read: AttributeReader): PathRule[] {
  return PATH_KINDS.flatMap(([attribute, kind]) => {
    const value = read.text(data, attribute);
    return value === undefined ? [] : [{ kind, value }];
  });
}
