import { closeSync, openSync } from 'node:fs';
import type { AppPackage } from '../../device/app-package.ts';
import { MANIFEST_FILE, readAndroidPackage } from './android-package.ts';
import { appFolders, readIosPackage } from './ios-package.ts';
import { PackageFault } from './package-fault.ts';
import { ZipArchive } from './zip-archive.ts';

/**
 * Reads what an uploaded file is, from its content alone. Throws `PackageFault` for what is no app, or an unsound one.
 * @param path of the file on this host
 */
export async function describePackage(path: string): Promise<AppPackage> {
  const fd = openSync(path, 'r');
  try {
    const archive = await ZipArchive.open(fd);
    const folders = appFolders(archive);
    const [folder] = folders;
    const isAndroid = archive.has(MANIFEST_FILE);
    if (isAndroid && folder !== undefined) throw new PackageFault('The archive is an Android and an iOS app at once.');
    if (isAndroid) return await readAndroidPackage(archive);
    if (folder === undefined) throw notAnApp(archive);
    if (folders.length > 1) throw new PackageFault(`The archive has ${folders.length} apps; upload them one by one.`);
    return await readIosPackage(archive, folder);
  } finally {
    closeSync(fd);
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
