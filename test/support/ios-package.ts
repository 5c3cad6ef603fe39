import { createCanvas } from '@napi-rs/canvas';
import { build, type PlistValue } from 'plist';
import { type Files, zip } from './zip.ts';

export const IOS_ID = 'com.example.demo';

/** A solid PNG of `edge` pixels. */
export function solidPng(edge: number, colour: string): Buffer {
  const canvas = createCanvas(edge, edge);
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, edge, edge);
  return canvas.toBuffer('image/png');
}

/** The entries of an Info.plist; `undefined` leaves an entry out. */
export function infoPlist(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const info: Record<string, unknown> = {
    CFBundleIdentifier: IOS_ID,
    CFBundleDisplayName: 'Demo',
    CFBundleName: 'DemoApp',
    CFBundleShortVersionString: '1.2.3',
    CFBundleVersion: '45',
    CFBundleExecutable: 'Demo',
    CFBundlePackageType: 'APPL',
    CFBundleURLTypes: [{ CFBundleURLName: 'main', CFBundleURLSchemes: ['demo', 'DEMO-Upper'] }],
    CFBundleIcons: { CFBundlePrimaryIcon: { CFBundleIconFiles: ['AppIcon60x60'] } },
    ...more,
  };
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
}

export const xmlPlist = (value: unknown): string => build(value as PlistValue);

export interface IosParts {
  readonly info?: Readonly<Record<string, unknown>>;
  /** Instead of XML made of `info`. */
  readonly plist?: Buffer | string;
  readonly files?: Files;
  readonly folder?: string;
}

/** Files of an app in its folder, an `.ipa`'s unless told otherwise. */
export function iosFiles({ info, plist, files = {}, folder = 'Payload/Demo.app/' }: IosParts = {}): Files {
  const inside: Files = {
    'Info.plist': plist ?? xmlPlist(infoPlist(info)),
    'AppIcon60x60@2x.png': solidPng(120, '#c00000'),
    Demo: 'an executable',
    ...files,
  };
  return Object.fromEntries(Object.entries(inside).map(([name, content]) => [folder + name, content]));
}

export const iosPackage = (parts: IosParts = {}): Promise<Buffer> => zip(iosFiles(parts));
