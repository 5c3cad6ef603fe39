import { applePng } from './apple-png.ts';
import { iosFiles, iosPackage } from './ios-package.ts';
import { rawZip } from './raw-zip.ts';
import { zip } from './zip.ts';

const XML = '<?xml version="1.0"?>';
const attributes = Array.from({ length: 100 }, (_, index) => ` a${index}="1"`).join('');

/** Packages that take long to read, by what they are full of. */
export const SLOW_PACKAGES: Readonly<Record<string, () => Promise<Buffer> | Buffer>> = {
  'tags that never end': () => iosPackage({ plist: XML + '<a'.repeat(1_000_000) }),
  'as much of a list as is read': () =>
    iosPackage({ plist: `${XML}<plist><array>${`<string${attributes}/>`.repeat(2_300)}` }),
  'many entries': () => rawZip(Array.from({ length: 30_000 }, (_, index) => ({ name: `${index}`, method: 0 }))),
  'as large a picture as is drawn': () => {
    const icon = applePng(3_000, 3_000, () => [1, 2, 3, 255]);
    return zip(iosFiles({ files: { 'AppIcon60x60@2x.png': icon } }));
  },
};
