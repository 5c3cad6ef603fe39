import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromiumProgram } from '../photon/chromium.ts';
import { PEERS_HOME, peersInstalled } from '../processes/peers.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Packages that determine the speed of the service, and those of its controls. */
const PARTS = ['uWebSockets.js', 'msgpackr', '@sinclair/typebox', 'better-sqlite3', 'node-av', 'sharp', 'ws'];
const PEERS = ['appium', '@appium/fake-driver', 'socket.io', 'fastify'];
const PLAYWRIGHT = 'playwright-core';
const CHROMIUM_VERSION = /(\d+(?:\.\d+)+)/;

/** The installed versions; packages that are not installed are left out. */
export function installedVersions(): Record<string, string> {
  const chromium = chromiumVersion();
  return {
    ...versionsIn(ROOT, [...PARTS, PLAYWRIGHT]),
    ...(peersInstalled() ? versionsIn(PEERS_HOME, PEERS) : {}),
    ...(chromium === undefined ? {} : { Chromium: chromium }),
  };
}

function versionsIn(folder: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const version = packageVersion(`${folder}/node_modules/${name}/package.json`);
      return version === undefined ? [] : [[name, version]];
    }),
  );
}

function packageVersion(file: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version?: string };
    return version;
  } catch {
    return undefined;
  }
}

function chromiumVersion(): string | undefined {
  const program = chromiumProgram();
  if (program === undefined) return undefined;
  return CHROMIUM_VERSION.exec(spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout)?.[1];
}
