import { appBundle } from '../archive/app-bundle.ts';
import { PackageFault, shown } from '../archive/package-fault.ts';
import type { ZipArchive } from '../archive/zip-archive.ts';
import type { IosApp } from '../device/app-package.ts';
import { ICON_FILE_BYTES_MAX, largestIcon } from './icon.ts';
import { linkedHosts } from './linked-hosts.ts';
import { cleanName } from './names.ts';
import { type PlistDictionary, type PlistValue, readPropertyList } from './property-list.ts';

const PLIST_BYTES_MAX = 2 * 2 ** 20;
/** Reverse domain name, at least two parts. */
const BUNDLE_IDENTIFIER = /^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/;
const BUNDLE_IDENTIFIER_CHARACTERS_MAX = 155;
/** RFC 3986, section 3.1. */
const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]{0,254}$/;
const ICONS_TRIED_MAX = 6;
/** Names of pictures that are looked for, each among all files. */
const ICON_NAMES_MAX = 64;

/** Reads the app in this folder of the archive. Throws `PackageFault`. */
export async function readIosPackage(archive: ZipArchive, folder: string): Promise<IosApp> {
  // Devices get it unpacked.
  appBundle(archive, folder);
  const plist = archive.read(`${folder}Info.plist`, PLIST_BYTES_MAX) ?? Buffer.alloc(0);
  const info = readPropertyList(plist, 'Info.plist');
  const identifier = text(info, 'CFBundleIdentifier');
  if (!BUNDLE_IDENTIFIER.test(identifier) || identifier.length > BUNDLE_IDENTIFIER_CHARACTERS_MAX) {
    throw new PackageFault(
      `CFBundleIdentifier "${shown(identifier)}" is no reverse domain name such as "com.example.app".`,
    );
  }
  const icon = await largestIcon(iconFiles(archive, folder, info));
  const folderName = folder.replace(/^Payload\//, '').replace(/\.app\/$/, '');
  return {
    platform: 'ios',
    identifier,
    name:
      cleanName(text(info, 'CFBundleDisplayName')) ??
      cleanName(text(info, 'CFBundleName')) ??
      cleanName(folderName) ??
      identifier,
    version: cleanName(text(info, 'CFBundleShortVersionString')) ?? cleanName(text(info, 'CFBundleVersion')) ?? '',
    ...(icon ? { icon } : {}),
    urlSchemes: urlSchemes(info),
    linkedHosts: await linkedHosts(archive, folder, text(info, 'CFBundleExecutable')),
  };
}

function text(dictionary: PlistDictionary, key: string): string {
  const value = dictionary.get(key);
  return typeof value === 'string' ? value : '';
}

const list = (value: PlistValue): readonly PlistValue[] => (Array.isArray(value) ? value : []);
const texts = (value: PlistValue): string[] => list(value).filter((item) => typeof item === 'string');
const dictionary = (value: PlistValue): PlistDictionary => (value instanceof Map ? value : new Map());

function urlSchemes(info: PlistDictionary): string[] {
  const named = list(info.get('CFBundleURLTypes')).flatMap((type) => texts(dictionary(type).get('CFBundleURLSchemes')));
  return [...new Set(named.filter((scheme) => SCHEME.test(scheme)).map((scheme) => scheme.toLowerCase()))];
}

/** Names of icons where the list names none. */
const USUAL_ICONS = ['AppIcon', 'Icon'];

/** The pictures that the bundle names as its icon, the largest files first; then those with the usual names. */
function* iconFiles(archive: ZipArchive, folder: string, info: PlistDictionary): Generator<Buffer> {
  const primary = dictionary(dictionary(info.get('CFBundleIcons')).get('CFBundlePrimaryIcon'));
  const named = [...texts(primary.get('CFBundleIconFiles')), ...texts(info.get('CFBundleIconFiles'))];
  const files = [named, USUAL_ICONS].flatMap((names) => picturesOf(archive, folder, names));
  for (const name of files.slice(0, ICONS_TRIED_MAX)) {
    const file = archive.read(name, ICON_FILE_BYTES_MAX);
    if (file) yield file;
  }
}

/** `AppIcon60x60` stands for `AppIcon60x60@2x.png`, `AppIcon60x60@3x~ipad.png` and so on, in the app's own folder. */
function picturesOf(archive: ZipArchive, folder: string, names: readonly string[]): string[] {
  const stems = names
    .slice(0, ICON_NAMES_MAX)
    .map((name) => name.replace(/\.png$/i, ''))
    .filter((stem) => stem !== '');
  return [...archive.names]
    .filter((name) => {
      if (!name.startsWith(folder) || !/\.png$/i.test(name)) return false;
      const file = name.slice(folder.length);
      return !file.includes('/') && stems.some((stem) => file.startsWith(stem));
    })
    .sort((one, other) => archive.sizeOf(other) - archive.sizeOf(one));
}
