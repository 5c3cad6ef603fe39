import { closeSync, openSync } from 'node:fs';
import { appFolders } from '../archive/app-bundle.ts';
import { PackageFault, shown } from '../archive/package-fault.ts';
import { ZipArchive } from '../archive/zip-archive.ts';
import { type AppPackage, urlSchemesOf } from '../device/app-package.ts';
import { MANIFEST_FILE, readAndroidPackage } from './android-package.ts';
import { readIosPackage } from './ios-package.ts';

/** The largest apps open some fifty. */
const SCHEMES_MAX = 200;
/** The apps with the most links need about ten thousand characters. */
const DESCRIPTION_CHARACTERS_MAX = 262_144;

/**
 * Reads what an uploaded file is, from its content alone. Throws `PackageFault` for what is no app, or an invalid one.
 * @param path of the file on this host
 */
export async function describePackage(path: string): Promise<AppPackage> {
  const fd = openSync(path, 'r');
  try {
    const app = await readApp(fd);
    refuseExcess(app);
    return app;
  } finally {
    closeSync(fd);
  }
}

async function readApp(fd: number): Promise<AppPackage> {
  const archive = await ZipArchive.open(fd);
  const folders = appFolders(archive);
  const [folder] = folders;
  refuseLinks(archive, folder);
  const isAndroid = archive.has(MANIFEST_FILE);
  if (isAndroid && folder !== undefined) throw new PackageFault('The archive is an Android and an iOS app at once.');
  if (isAndroid) return readAndroidPackage(archive);
  if (folder === undefined) throw notAnApp(archive);
  if (folders.length > 1) throw new PackageFault(`The archive has ${folders.length} apps; upload them one by one.`);
  return readIosPackage(archive, folder);
}

/** Frameworks in an iOS app have links; nothing else needs any. */
function refuseLinks(archive: ZipArchive, folder: string | undefined): void {
  for (const name of archive.links) {
    if (folder !== undefined && name.startsWith(folder)) continue;
    throw new PackageFault(`The archive's entry "${shown(name)}" is a symbolic link.`);
  }
}

/**
 * The description appears in every listing of the account's apps, and is sent with every session that installs the app.
 */
function refuseExcess(app: AppPackage): void {
  const schemes = urlSchemesOf(app).length;
  if (schemes > SCHEMES_MAX) throw new PackageFault(`The app opens ${schemes} URL schemes; at most ${SCHEMES_MAX}.`);
  const { icon: _, ...description } = app;
  if (JSON.stringify(description).length > DESCRIPTION_CHARACTERS_MAX) {
    throw new PackageFault('The app declares more schemes, hosts and paths than anybody needs.');
  }
}

function notAnApp(archive: ZipArchive): PackageFault {
  if (archive.has('base/manifest/AndroidManifest.xml')) {
    return new PackageFault('The file is an Android App Bundle; build an APK from it and upload that.');
  }
  if ([...archive.names].some((name) => /^[^/]+\.apk$/.test(name))) {
    return new PackageFault('The file is an archive of APKs; upload the APK itself.');
  }
  if (archive.has('Info.plist')) return new PackageFault('Zip the .app folder itself, not only what is in it.');
  return new PackageFault('The archive has neither an AndroidManifest.xml nor an .app folder with an Info.plist.');
}
