import { mkdir, rm, writeFile } from 'node:fs/promises';
import { arch, release, type } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { PLATFORMS, type Platform } from '@runcloud/protocol/terms';
import type { Certificate, CertifiedRow } from './certify/certificate.ts';
import { certify } from './certify/certify.ts';
import { certificatePage } from './certify/html.ts';
import { servePage } from './certify/page-server.ts';
import { runningService } from './certify/running-service.ts';
import type { Service } from './certify/service.ts';
import { serviceVersion } from './certify/service-version.ts';
import type { Ground } from './certify/subject.ts';
import { closingLines, plain, rowLine } from './certify/table.ts';
import { ownService } from './certify-own-service.ts';
import { makeOwnFolder, removeLeftFolders } from './drivers/process/own-folder.ts';
import { bundleForBrowsers } from './pages/bundle.ts';
import { CARD_PATH } from './test-card/layout.ts';
import { UsageError } from './usage-error.ts';

/**
 * `npm run admin -- certify`: tries everything on one device, through a service that is started for it or through one that
 * runs, and puts everything back.
 */

export interface CertifyArguments {
  /** An entry of `RUNCLOUD_DEVICES`, or the platform of a device of a running service. */
  readonly which: string | undefined;
  /** Address of a running service; one is started where absent. */
  readonly url: string | undefined;
  /** Model of the running service's device; any of the platform where absent. */
  readonly deviceModel: string | undefined;
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

/** Resolves with the exit code. */
export async function certifyCommand(given: CertifyArguments): Promise<number> {
  const service = await serviceOf(given);
  const out = resolve(given.out);
  await askLeave(given, [...service.touches, `certificate.json and certificate.html are written to ${out}`]);
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
  const passed = await run(service, { out, json: given.json }, aborter.signal);
  return code ?? (passed ? EXIT_PASSED : EXIT_FAILED);
}

async function serviceOf({ which, url, deviceModel, pageHost }: CertifyArguments): Promise<Service> {
  if (url === undefined) {
    if (deviceModel !== undefined) throw new UsageError('--device is for a running service, which --url names');
    return ownService({ entry: which, pageHost }, process.env);
  }
  const platform = PLATFORMS.find((one): one is Platform => one === which);
  if (!platform) throw new UsageError(`certify --url takes the platform of the device: ${PLATFORMS.join(' or ')}`);
  const { RUNCLOUD_API_KEY: apiKey } = process.env;
  if (apiKey === undefined) throw new UsageError("certify --url needs a key of the service's in RUNCLOUD_API_KEY");
  try {
    return await runningService({ url, apiKey, platform, deviceModel, pageHost });
  } catch (error) {
    // What the SDK says to an address or a key that cannot be one.
    throw error instanceof RangeError ? new UsageError(error.message) : error;
  }
}

interface Output {
  readonly out: string;
  readonly json: boolean;
}

/** Tries everything, with the card served meanwhile. Tells whether the device has passed. */
async function run(service: Service, output: Output, signal: AbortSignal): Promise<boolean> {
  const folder = await makeOwnFolder('certify');
  try {
    const { page } = service;
    const pages = await servePage(page.listen, await bundleForBrowsers('server/certify/page/main.ts'));
    const cardUrl = (driver: string, nonce: number) =>
      `http://${page.seenBy(driver)}:${pages.port}${CARD_PATH}?n=${nonce}`;
    try {
      return await certifyThrough(service, { folder, cardUrl, signal }, output);
    } finally {
      await pages.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The certificate is kept before the service is left, which may fail. */
async function certifyThrough(
  { entry, platform, deviceModel, exclusive, open }: Service,
  surroundings: Pick<Ground, 'folder' | 'cardUrl' | 'signal'>,
  output: Output,
): Promise<boolean> {
  const { url, cloud, labels, close } = await open(surroundings.folder);
  try {
    const versions = {
      service: await serviceVersion(url),
      node: process.version,
      os: `${type()} ${release()} ${arch()}`,
    };
    const ground = { ...surroundings, cloud, platform, deviceModel, labels, exclusive };
    const onRow = (row: CertifiedRow) => void (output.json || process.stdout.write(rowLine(row)));
    const certificate = await certify(ground, { entry, versions, onRow });
    await keep(certificate, output);
    return certificate.passed;
  } finally {
    await close();
  }
}

async function keep(certificate: Certificate, { out, json }: Output): Promise<void> {
  await writeFile(join(out, 'certificate.json'), jsonOf(certificate));
  await writeFile(join(out, 'certificate.html'), certificatePage(certificate));
  process.stdout.write(json ? jsonOf(certificate) : `${closingLines(certificate)}${out}\n`);
}

/** The pictures are in the page. */
function jsonOf(certificate: Certificate): string {
  const rows = certificate.rows.map(({ picture: _picture, ...row }) => row);
  return `${JSON.stringify({ ...certificate, rows }, undefined, 2)}\n`;
}

async function askLeave({ yes, json }: CertifyArguments, lines: readonly string[]): Promise<void> {
  const list = lines.map((line) => `  - ${plain(line)}\n`).join('');
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
