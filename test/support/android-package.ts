import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Files } from './zip.ts';

const missing = spawnSync('aapt', ['version']).error !== undefined;
if (missing && process.env.CI) throw new Error('aapt is not installed, and CI must build APKs with it');

/** Why tests that need a real APK are skipped, or `false`. */
export const SKIP_WITHOUT_AAPT = missing ? 'NO AAPT: real APKs are NOT tested' : false;

/** Attributes of the system, with the ids that Android gives them; the last two are known to readers by name alone. */
const ATTRIBUTES: readonly (readonly [name: string, id: number, format: string])[] = [
  ['label', 0x01010001, 'reference|string'],
  ['icon', 0x01010002, 'reference'],
  ['name', 0x01010003, 'string'],
  ['enabled', 0x0101000e, 'boolean'],
  ['exported', 0x01010010, 'boolean'],
  ['mimeType', 0x01010026, 'string'],
  ['scheme', 0x01010027, 'string'],
  ['host', 0x01010028, 'string'],
  ['port', 0x01010029, 'string'],
  ['path', 0x0101002a, 'string'],
  ['pathPrefix', 0x0101002b, 'string'],
  ['pathPattern', 0x0101002c, 'string'],
  ['targetActivity', 0x01010202, 'string'],
  ['minSdkVersion', 0x0101020c, 'integer|string'],
  ['versionCode', 0x0101021b, 'integer'],
  ['versionName', 0x0101021c, 'string'],
  ['targetSdkVersion', 0x01010270, 'integer|string'],
  ['autoVerify', 0x010104ee, 'boolean'],
  ['pathSuffix', 0x01010800, 'string'],
  ['pathAdvancedPattern', 0x01010801, 'string'],
];

const NAMESPACE = 'xmlns:android="http://schemas.android.com/apk/res/android"';
let framework: string | undefined;

/**
 * A stand-in for the platform's own resources that has just the attributes of manifests: `aapt` needs one to compile
 * against, and makes one itself.
 */
function frameworkPath(): string {
  if (framework !== undefined) return framework;
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-framework-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const lines = ATTRIBUTES.map(
    ([name, id, format]) =>
      `<public type="attr" name="${name}" id="0x${id.toString(16).padStart(8, '0')}"/><attr name="${name}" format="${format}"/>`,
  );
  write(folder, {
    'AndroidManifest.xml': `<manifest ${NAMESPACE} package="android"/>`,
    'res/values/attrs.xml': `<resources>${lines.join('\n')}</resources>`,
  });
  framework = join(folder, 'framework.apk');
  run('aapt', 'package', '-x', '-M', join(folder, 'AndroidManifest.xml'), '-S', join(folder, 'res'), '-F', framework);
  return framework;
}

export interface AndroidParts {
  readonly identifier?: string;
  /** Attributes of `<manifest>` besides the package. */
  readonly manifest?: string;
  /** Elements before `<application>`. */
  readonly before?: string;
  /** Attributes of `<application>`. */
  readonly application?: string;
  /** Content of `<application>`. */
  readonly activities?: string;
  /** By path below `res/`. */
  readonly resources?: Files;
}

export const ANDROID_ID = 'com.example.droid';

/** A real APK, compiled by Android's own tool; the newer one writes tables whose types leave out absent entries. */
export function androidPackage(parts: AndroidParts = {}, tool: 'aapt' | 'aapt2' = 'aapt'): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-apk-'));
  try {
    const { identifier = ANDROID_ID, manifest = 'android:versionCode="7" android:versionName="2.5"' } = parts;
    const { application = 'android:label="Droid"', activities = '', before = '' } = parts;
    write(folder, {
      'AndroidManifest.xml': `<manifest ${NAMESPACE} package="${identifier}" ${manifest}>${before}
        <application ${application}>${activities}</application></manifest>`,
      ...Object.fromEntries(
        Object.entries(
          parts.resources ?? { 'values/none.xml': '<resources><string name="none">n</string></resources>' },
        ).map(([path, content]) => [`res/${path}`, content]),
      ),
    });
    const out = join(folder, 'app.apk');
    const manifestPath = join(folder, 'AndroidManifest.xml');
    if (tool === 'aapt') {
      run('aapt', 'package', '-M', manifestPath, '-S', join(folder, 'res'), '-I', frameworkPath(), '-F', out);
    } else {
      const compiled = join(folder, 'compiled.zip');
      run('aapt2', 'compile', '--dir', join(folder, 'res'), '-o', compiled);
      const linking = ['--manifest', manifestPath, '-I', frameworkPath(), '--enable-sparse-encoding', '-o', out];
      run('aapt2', 'link', ...linking, compiled);
    }
    return readFileSync(out);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An exported activity with one filter that opens `data` from a browser. */
export const linkActivity = (data: string, attributes = 'android:name=".Link" android:exported="true"'): string =>
  `<activity ${attributes}>${linkFilter(data)}</activity>`;

export const linkFilter = (data: string, attributes = ''): string => `<intent-filter ${attributes}>
    <action android:name="android.intent.action.VIEW"/>
    <category android:name="android.intent.category.DEFAULT"/>
    <category android:name="android.intent.category.BROWSABLE"/>${data}</intent-filter>`;

function write(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
}
