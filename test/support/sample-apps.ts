import { createCanvas } from '@napi-rs/canvas';
import { androidPackage, linkActivity } from './android-package.ts';
import { infoPlist, xmlPlist } from './ios-package.ts';
import { zip } from './zip.ts';

/** Makes the sample apps that `npm run admin -- sample-app` writes; run this file to put them into `server/sample`. */

const NAME = 'Sample';
const IDENTIFIER = 'com.example.sample';

/** A white window on blue, `edge` pixels wide. */
function icon(edge: number): Buffer {
  const canvas = createCanvas(edge, edge);
  const context = canvas.getContext('2d');
  const ground = context.createLinearGradient(0, 0, 0, edge);
  ground.addColorStop(0, '#4f8cff');
  ground.addColorStop(1, '#2457d6');
  context.fillStyle = ground;
  context.fillRect(0, 0, edge, edge);
  context.fillStyle = '#ffffff';
  context.beginPath();
  context.roundRect(edge * 0.24, edge * 0.28, edge * 0.52, edge * 0.44, edge * 0.07);
  context.fill();
  context.fillStyle = '#2457d6';
  context.fillRect(edge * 0.24, edge * 0.38, edge * 0.52, edge * 0.03);
  return canvas.toBuffer('image/png');
}

export const sampleIos = (name = NAME, identifier = IDENTIFIER): Promise<Buffer> =>
  zip({
    [`Payload/${name}.app/Info.plist`]: xmlPlist(
      infoPlist({
        CFBundleIdentifier: identifier,
        CFBundleDisplayName: name,
        CFBundleName: name,
        CFBundleExecutable: name,
        CFBundleShortVersionString: '1.0',
        CFBundleVersion: '1',
        CFBundleURLTypes: [{ CFBundleURLName: 'main', CFBundleURLSchemes: ['sample'] }],
      }),
    ),
    [`Payload/${name}.app/${name}`]: '',
    [`Payload/${name}.app/AppIcon60x60@2x.png`]: icon(120),
    [`Payload/${name}.app/AppIcon60x60@3x.png`]: icon(180),
  });

export const sampleAndroid = (): Buffer =>
  androidPackage({
    identifier: IDENTIFIER,
    manifest: 'android:versionCode="1" android:versionName="1.0"',
    before: '<uses-sdk android:minSdkVersion="24" android:targetSdkVersion="34"/>',
    application: `android:label="${NAME}" android:icon="@mipmap/icon"`,
    activities: linkActivity('<data android:scheme="sample"/>', 'android:name=".Main" android:exported="true"'),
    resources: { 'mipmap-xxhdpi/icon.png': icon(144) },
  });

if (process.argv[1] === import.meta.filename) {
  const { writeFileSync } = await import('node:fs');
  writeFileSync('server/sample/sample.ipa', await sampleIos());
  writeFileSync('server/sample/sample.apk', sampleAndroid());
}
