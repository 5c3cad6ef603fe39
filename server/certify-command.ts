import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { arch, networkInterfaces, release, type } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { RunCloud } from '../client/sdk/index.ts';
import { startApp } from './app.ts';
import type { Certificate } from './certify/certificate.ts';
import { certify } from './certify/certify.ts';
import { certificatePage } from './certify/html.ts';
import { servePage } from './certify/page-server.ts';
import { closingLines, rowLine } from './certify/table.ts';
import { makeOwnFolder, removeLeftFolders } from './drivers/process/own-folder.ts';
import { createLogger } from './observe/logger.ts';
import { bundleForBrowsers } from './pages/bundle.ts';
import { type DeviceOffer, type Environment, offerName, parseDevices, readSettings } from './settings.ts';
import { CARD_PATH } from './test-card/layout.ts';
import { UsageError } from './usage-error.ts';

/**
 * `npm run admin -- certify`: starts the service for one device, on a free port of the loopback and with data of its own,
 * tries everything on the device, and puts everything back.
 */

export interface CertifyArguments {
  /** As `RUNCLOUD_DEVICES` names the device; the only one of the settings where absent. */
  readonly entry: string | undefined;
  /** Whether leave is given already. */
  readonly yes: boolean;
  /** Print the certificate instead of a table. */
  readonly json: boolean;
  /** Folder of the certificate. */
  readonly out: string;
  /** Address of this machine for the device's browser. */
  readonly pageHost: string | undefined;
}

const EXIT_PASSED = 0;
const EXIT_FAILED = 1;
const SIGNAL_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
const LOOPBACK = '127.0.0.1';
/** The host's loopback, as an Android Emulator knows it. */
const EMULATOR_HOST = '10.0.2.2';
const SOFTWARE_VERSION = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')).version as string;

/** Resolves with the exit code. */
export async function certifyCommand(given: CertifyArguments): Promise<number> {
  const { entry, offer } = chosen(given.entry, process.env);
  const page = pageAddress(offer, given.pageHost);
  const out = resolve(given.out);
  await askLeave(given, touched(entry, offer, page.listen, out));
  // Left by a run that was killed.
  await removeLeftFolders();
  await mkdir(out, { recursive: true });
  const aborter = new AbortController();
  let code: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    // A second signal means that the user does not want to wait for the device.
    if (code !== undefined) process.exit(code);
    code = SIGNAL_CODES[signal as keyof typeof SIGNAL_CODES];
    aborter.abort(new Error('the run was interrupted'));
  };
  for (const signal of Object.keys(SIGNAL_CODES)) process.on(signal, stop);
  const certificate = await run(entry, offer, page, aborter.signal, (line) => {
    if (!given.json) process.stdout.write(line);
  });
  await writeFile(join(out, 'certificate.json'), jsonOf(certificate));
  await writeFile(join(out, 'certificate.html'), certificatePage(certificate));
  process.stdout.write(given.json ? jsonOf(certificate) : `${closingLines(certificate)}${out}\n`);
  return code ?? (certificate.passed ? EXIT_PASSED : EXIT_FAILED);
}

/** The pictures are in the page. */
function jsonOf(certificate: Certificate): string {
  const rows = certificate.rows.map(({ picture: _picture, ...row }) => row);
  return `${JSON.stringify({ ...certificate, rows }, undefined, 2)}\n`;
}

async function run(
  entry: string,
  offer: DeviceOffer,
  page: PageAddress,
  signal: AbortSignal,
  print: (line: string) => void,
): Promise<Certificate> {
  const dataDir = await makeOwnFolder('certify');
  const releases: (() => Promise<unknown>)[] = [() => rm(dataDir, { recursive: true, force: true })];
  try {
    const script = await bundleForBrowsers('server/certify/page/main.ts');
    const pages = await servePage(page.listen, script);
    releases.push(() => pages.close());
    const apiKey = randomBytes(24).toString('base64url');
    const settings = readSettings(environmentOf(process.env, { entry, dataDir, apiKey }));
    const app = await startApp(settings, createLogger(settings.logLevel));
    releases.push(() => app.close());
    const ground = {
      folder: dataDir,
      cloud: new RunCloud({ apiKey, baseUrl: app.url }),
      platform: offer.platform,
      exclusive: !('which' in offer) || offer.which !== 'auto',
      cardUrl: (nonce: number) => `http://${page.seen}:${pages.port}${CARD_PATH}?n=${nonce}`,
      signal,
    };
    const versions = {
      service: SOFTWARE_VERSION,
      node: process.version,
      os: `${type()} ${release()} ${arch()}`,
    };
    return await certify(ground, { entry, versions, onRow: (row) => print(rowLine(row)) });
  } finally {
    for (const release of releases.reverse()) await release();
  }
}

/** Settings of this host that a device needs, or that say how the service runs; no other, since they belong to another service. */
const KEPT = ['SOCKETS', 'LOG', 'ADB_PORT', 'SCRCPY_SERVER', 'SCRCPY_VERSION'].map((name) => `RUNCLOUD_${name}`);

function environmentOf(
  environment: Environment,
  { entry, dataDir, apiKey }: { readonly entry: string; readonly dataDir: string; readonly apiKey: string },
): Environment {
  const isKept = (name: string) => !name.startsWith('RUNCLOUD_') || KEPT.includes(name);
  return {
    RUNCLOUD_LOG: 'error',
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => isKept(name))),
    RUNCLOUD_HOST: LOOPBACK,
    RUNCLOUD_PORT: '0',
    RUNCLOUD_DATA_DIR: dataDir,
    RUNCLOUD_API_KEY: apiKey,
    RUNCLOUD_DEVICES: entry,
    RUNCLOUD_CHECK_ANSWERS: '1',
    RUNCLOUD_RATE_LIMIT: 'off',
  };
}

/** One device of the entry, whatever number it names. */
function chosen(
  asked: string | undefined,
  environment: Environment,
): { readonly entry: string; readonly offer: DeviceOffer } {
  const offers = parseDevices(withCount(asked) ?? environment.RUNCLOUD_DEVICES ?? 'virtual-ios:1,virtual-android:1');
  const [offer, ...others] = offers;
  if (offer === undefined || others.length > 0) {
    throw new UsageError(`certify takes one device at a time; name one of ${offers.map(entryOf).join(', ')}`);
  }
  return { entry: entryOf(offer), offer };
}

/** `virtual-ios` alone is allowed here. */
const withCount = (asked: string | undefined) => (/^virtual-[a-z-]+$/.test(asked ?? '') ? `${asked}:1` : asked);

const entryOf = (offer: DeviceOffer): string => `${offerName(offer)}${offer.driver === 'virtual' ? ':1' : ''}`;

interface PageAddress {
  /** On this machine. */
  readonly listen: string;
  /** As the device's browser knows it. */
  readonly seen: string;
}

function pageAddress({ driver }: DeviceOffer, given: string | undefined): PageAddress {
  if (given !== undefined) return { listen: given, seen: given };
  if (driver === 'android-emulator') return { listen: LOOPBACK, seen: EMULATOR_HOST };
  if (driver !== 'android-adb') return { listen: LOOPBACK, seen: LOOPBACK };
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const lan = own.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (lan === undefined) throw new UsageError('certify found no network that the device could share; see --page-host');
  return { listen: lan, seen: lan };
}

function touched(entry: string, { driver }: DeviceOffer, host: string, out: string): readonly string[] {
  const device = {
    virtual: ['an embedded phone, which is made for this and gone afterwards'],
    'android-emulator': [
      'the browser of the device is opened, and its data are erased afterwards, tabs and sign-ins included',
      'the display turns, sleeps and wakes; the volume goes up and down by one',
    ],
    'android-adb': [
      'the browser of the device is opened, and its data are erased afterwards, tabs and sign-ins included',
      'the display turns, sleeps and wakes; the volume goes up and down by one',
      `a page is served on ${host}, to everybody who reaches this address`,
    ],
    'ios-simulator': ['a simulator is created or cloned for each of three sessions, and removed after it'],
  }[driver];
  return [
    `${entry}: its touches, keys, buttons, orientation, screen and browser are tried, in about two minutes`,
    ...device,
    `certificate.json and certificate.html are written to ${out}`,
    'no other device, no data of a running service, and nothing beyond this machine is touched',
  ];
}

async function askLeave({ yes, json }: CertifyArguments, lines: readonly string[]): Promise<void> {
  const list = lines.map((line) => `  - ${line}\n`).join('');
  const stream = json ? process.stderr : process.stdout;
  stream.write(`This is what certify touches:\n${list}`);
  if (yes) return;
  if (!process.stdin.isTTY) throw new UsageError('certify needs your leave: answer in a terminal, or give --yes');
  const terminal = createInterface({ input: process.stdin, output: stream });
  // Nothing was touched yet.
  terminal.on('SIGINT', () => process.exit(SIGNAL_CODES.SIGINT));
  const answer = await terminal.question('Go on? [y/N] ');
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError('certify was not given leave; nothing was touched');
}
