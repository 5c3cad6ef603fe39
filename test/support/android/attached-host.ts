import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SessionRecord } from '@runcloud/protocol';
import { freePort } from '../../../server/drivers/android/adb/adb-server.ts';
import { askAdbServer } from '../../../server/drivers/android/adb/host-question.ts';
import type { Environment } from '../../../server/settings.ts';
import { startServer, type TestServer } from '../server.ts';
import { sessionInTime } from '../sessions-in-time.ts';
import { serverFile } from './scrcpy-stand-in.ts';
import { StandInEmulator, type StandInOptions } from './stand-in-emulator.ts';

/** The adb server answers within a second or two. */
const TRIES_MAX = 200;
const PAUSE_MS = 50;

export interface AttachedDevice {
  readonly serial: string;
  readonly device: StandInEmulator;
}

/** A host whose people have an adb server with devices on it, none of which is an emulator that makes itself known. */
export interface AttachedHost {
  readonly environment: Environment;
  readonly adbPort: number;
  readonly devices: readonly AttachedDevice[];
  adb(...args: readonly string[]): string;
  stop(): void;
}

/** @param scrcpy the version of scrcpy's server that this host has */
export async function attachedHost(
  count: number,
  scrcpy?: string,
  options: Pick<StandInOptions, 'foldable'> = {},
): Promise<AttachedHost> {
  const folder = mkdtempSync(join(tmpdir(), 'runcloud-attached-'));
  const tools = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: folder, XDG_RUNTIME_DIR: join(folder, 'run') };
  mkdirSync(tools.XDG_RUNTIME_DIR);
  const adbPort = await freePort();
  const env = { ...tools, ADB_USB: '0', ADB_MDNS: '0', ADB_EMU: '0', ADB_LOCAL_TRANSPORT_MAX_PORT: '0' };
  const server = spawn('adb', ['-P', String(adbPort), 'server', 'nodaemon'], { env, stdio: 'ignore' });
  // A client that finds no server would start one that stays, so the server is waited for without one.
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (await askAdbServer(adbPort, 'host:version').catch(() => undefined)) break;
    await sleep(PAUSE_MS);
  }
  const adb = (...args: readonly string[]) =>
    execFileSync('adb', ['-P', String(adbPort), ...args], { env, encoding: 'utf8' });
  const devices: AttachedDevice[] = [];
  for (let index = 1; index <= count; index++) {
    const device = new StandInEmulator(`Stand-in phone ${index}`, { control: 'none', ...options });
    // It makes itself known where nobody looks.
    await device.start(join(folder, 'elsewhere'));
    const serial = `127.0.0.1:${device.adbd.port}`;
    const connecting = spawn('adb', ['-P', String(adbPort), 'connect', serial], { env, stdio: 'ignore' });
    await new Promise((resolve) => connecting.once('exit', resolve));
    devices.push({ serial, device });
  }
  return {
    adbPort,
    devices,
    adb,
    environment: {
      ...tools,
      RUNCLOUD_DEVICES: devices.map(({ serial }) => `android-adb:${serial}`).join(','),
      RUNCLOUD_ADB_PORT: String(adbPort),
      ...(scrcpy === undefined ? {} : { RUNCLOUD_SCRCPY_SERVER: serverOf(folder, scrcpy) }),
    },
    stop() {
      server.kill('SIGKILL');
      for (const { device } of devices) device.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function serverOf(folder: string, version: string): string {
  const file = join(folder, `scrcpy-server-v${version}`);
  writeFileSync(file, serverFile(version));
  return file;
}

export interface AttachedService extends AttachedDevice {
  readonly host: AttachedHost;
  readonly server: TestServer;
  /** Creates a session as soon as the device is offered. */
  session(options?: Record<string, unknown>): Promise<SessionRecord>;
}

/** The service on a host with one attached device. */
export async function attachedService(
  t: { teardown(work: () => Promise<void>): unknown },
  scrcpy?: string,
  options: Pick<StandInOptions, 'foldable'> = {},
): Promise<AttachedService> {
  const host = await attachedHost(1, scrcpy, options);
  const server = await startServer(host.environment);
  t.teardown(async () => {
    await server.close();
    host.stop();
  });
  const [first] = host.devices;
  if (!first) throw new Error('no device');
  return {
    ...first,
    host,
    server,
    session: (body) => sessionInTime(server, 'android', body),
  };
}
