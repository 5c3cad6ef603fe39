import type { ZipArchive } from '../archive/zip-archive.ts';
import type { AndroidApp } from '../device/app-package.ts';
import { MANIFEST_ATTRIBUTES, readManifest } from './android-manifest.ts';
import { readBinaryXml } from './binary-xml.ts';
import type { ResourceValue } from './chunks.ts';
import { ICON_FILE_BYTES_MAX, largestIcon } from './icon.ts';
import { cleanName } from './names.ts';
import { ResourceTable } from './resource-table.ts';

export const MANIFEST_FILE = 'AndroidManifest.xml';

/** Manifests of large apps have some hundred thousand bytes. */
const MANIFEST_BYTES_MAX = 8 * 2 ** 20;
/** Tables of large apps have some ten million bytes. */
const TABLE_BYTES_MAX = 64 * 2 ** 20;
/** Densities that stand for no number (`ResTable_config`). */
const DENSITY_SPECIAL = 0xfffe;
/** Pictures tried, the densest first. */
const ICONS_TRIED_MAX = 6;

/** Reads an APK. Throws `PackageFault`. */
export async function readAndroidPackage(archive: ZipArchive): Promise<AndroidApp> {
  const manifest = archive.read(MANIFEST_FILE, MANIFEST_BYTES_MAX) ?? Buffer.alloc(0);
  const tableBytes = archive.read('resources.arsc', TABLE_BYTES_MAX);
  const table = tableBytes && new ResourceTable(tableBytes);
  const facts = readManifest(readBinaryXml(manifest, MANIFEST_FILE, MANIFEST_ATTRIBUTES), (id) => table?.best(id));
  const icon = await largestIcon(iconFiles(archive, table, facts.icon));
  const { identifier } = facts;
  return {
    platform: 'android',
    identifier,
    name: cleanName(textOf(facts.label, table)) ?? identifier.slice(identifier.lastIndexOf('.') + 1),
    version: cleanName(facts.version) ?? '',
    ...(icon ? { icon } : {}),
    activities: facts.activities,
  };
}

function textOf(value: ResourceValue | undefined, table: ResourceTable | undefined): string {
  const found = value?.kind === 'reference' ? table?.best(value.id) : value;
  return found?.kind === 'text' ? found.text : '';
}

/** The pictures that the icon's resource names, the densest first. Drawings in XML cannot be shown. */
function* iconFiles(
  archive: ZipArchive,
  table: ResourceTable | undefined,
  icon: ResourceValue | undefined,
): Generator<Buffer> {
  if (icon?.kind !== 'reference') return;
  const density = (value: number) => (value >= DENSITY_SPECIAL ? 0 : value);
  const files = (table?.variants(icon.id) ?? [])
    .sort((one, other) => density(other.density) - density(one.density))
    .flatMap(({ value }) => (value.kind === 'text' && /\.(png|webp|jpe?g)$/i.test(value.text) ? [value.text] : []));
  for (const name of files.slice(0, ICONS_TRIED_MAX)) {
    const file = archive.read(name, ICON_FILE_BYTES_MAX);
    if (file) yield file;
  }
}
