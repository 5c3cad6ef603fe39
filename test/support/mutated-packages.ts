import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import createBinary from 'bplist-creator';
import { systemClock } from '../../server/flow/clock.ts';
import { PackageReader, PackageRefused } from '../../server/link/package-reader.ts';
import { startPackageLauncher, startPackageProcess } from '../../server/packages/package-process.ts';
import { seeded } from '../conformance/random.ts';
import { androidPackage, linkActivity, SKIP_WITHOUT_AAPT } from './android-package.ts';
import { applePng } from './apple-png.ts';
import { infoPlist, iosFiles, solidPng } from './ios-package.ts';
import { rawZip } from './raw-zip.ts';
import { unzip } from './unzip.ts';
import type { Files } from './zip.ts';

const ICON = 'AppIcon60x60@2x.png';
const drawn = applePng(48, 48, (x, y) => [x * 5, y * 5, 128, 255 - x]);

/** Sound packages of every kind that is read; APKs where there is a tool that makes them. */
function seeds(): Files[] {
  const xcent =
    '<plist><dict><key>com.apple.developer.associated-domains</key><array><string>applinks:a.b</string></array></dict></plist>';
  const ios = [
    iosFiles({ files: { [ICON]: solidPng(48, '#123456'), 'archived-expanded-entitlements.xcent': xcent } }),
    iosFiles({ plist: createBinary(infoPlist()), files: { [ICON]: drawn, Demo: `machine code<?xml?>${xcent}` } }),
  ];
  if (SKIP_WITHOUT_AAPT) return ios;
  const apk = androidPackage({
    application: 'android:label="@string/label" android:icon="@mipmap/icon"',
    activities: linkActivity('<data android:scheme="demo" android:host="@string/label" android:pathPrefix="/x"/>'),
    resources: {
      'values/s.xml': '<resources><string name="label">Droid</string></resources>',
      'values-fr/s.xml': '<resources><string name="label">Droïde</string></resources>',
      'mipmap-hdpi/icon.png': solidPng(48, '#ff0000'),
      'mipmap-xxhdpi/icon.png': solidPng(96, '#00ff00'),
    },
  });
  return [...ios, unzip(apk)];
}

/** Changes some bytes to others that are likely to mean something: ends of ranges, lengths, and what stands elsewhere. */
function mutate(bytes: Buffer, random: () => number): Buffer {
  const out = Buffer.from(bytes);
  const below = (end: number) => Math.floor(random() * end);
  if (out.length === 0) return out;
  for (let changes = 1 + below(6); changes > 0; changes--) {
    const at = below(out.length);
    const kind = below(6);
    if (kind === 0) out[at] = below(256);
    else if (kind === 1) out[at] = (out[at] ?? 0) ^ (1 << below(8));
    else if (kind === 2) out.fill([0, 0xff, 0x7f, 0x80][below(4)] ?? 0, at, Math.min(out.length, at + 1 + below(4)));
    else if (kind === 3) out.copyWithin(at, below(out.length), below(out.length));
    else if (kind === 4 && at + 4 <= out.length) out.writeUInt32LE(below(out.length * 2), at);
    else if (changes === 1) return out.subarray(0, at);
  }
  return out;
}

/** One package of a seed: with its archive damaged, or with a sound archive around damaged files. */
function mutant(seed: Files, random: () => number): Buffer {
  const names = Object.keys(seed);
  const inside = random() < 0.7;
  const target = names[Math.floor(random() * names.length)];
  const entries = names.map((name) => {
    const content = Buffer.from(seed[name] ?? '');
    return { name, method: 8, content: inside && name === target ? mutate(content, random) : content };
  });
  const whole = rawZip(entries);
  return inside ? whole : mutate(whole, random);
}

export interface MutantsRead {
  readonly read: number;
  readonly refused: number;
  /** Neither: faults of ours, in their words. */
  readonly faults: readonly string[];
  /** Processes that were started. */
  readonly processes: number;
}

/** Has so many mutated packages read by the real processes, for two accounts in turn. */
export async function readMutants(count: number, seed: number): Promise<MutantsRead> {
  const random = seeded(seed);
  const sound = seeds();
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-mutants-'));
  const faults: string[] = [];
  let [read, refused, processes] = [0, 0, 0];
  const launcher = startPackageLauncher({ clock: systemClock, onLost: (reason) => faults.push(reason) });
  const reader = new PackageReader({
    spawn: () => {
      processes++;
      return startPackageProcess(launcher);
    },
    clock: systemClock,
    onCrash: () => undefined,
  });
  const account = async (name: string) => {
    const path = join(folder, name);
    for (let left = count / 2; left > 0; left--) {
      const bytes = mutant(sound[Math.floor(random() * sound.length)] ?? {}, random);
      writeFileSync(path, bytes);
      try {
        await reader.read(name, path, bytes.length);
        read++;
      } catch (error) {
        if (error instanceof PackageRefused) refused++;
        else faults.push(String(error));
      }
    }
  };
  try {
    await Promise.all([account('acme'), account('other')]);
  } finally {
    await reader.close();
    await launcher.close();
    rmSync(folder, { recursive: true });
  }
  return { read, refused, faults, processes };
}
