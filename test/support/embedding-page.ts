import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import type { Test } from 'tap';
import type * as embed from '../../client/embed/index.ts';
import type { SimulatorHandle } from '../../client/embed/react.tsx';

declare global {
  interface Window {
    embed: typeof embed;
    /** Simulators by the index of their iframe. */
    simulators: embed.SimulatorFrame[];
    /** Everything that was posted to the page. */
    heard: { origin: string; data: { type?: string } }[];
    handle: SimulatorHandle | null;
    pending: Promise<embed.InteractionResult>;
  }
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Puts the embed script on the page, and notes what is posted to it. */
export const SCRIPT = `import * as embed from './client/embed/index.ts';
window.embed = embed;
window.simulators = [];
window.heard = [];
addEventListener('message', ({ origin, data }) => window.heard.push({ origin, data }));`;

/** A program for a browser, out of its source. */
export async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** An origin with one empty page, whatever its path; its script is what was bundled. */
export async function startSite(t: Test, script: string): Promise<string> {
  const site = createServer(({ url }, response) => {
    const isScript = url === '/script.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    const page = '<!doctype html><title>Page</title><body><div id="root"></div>';
    response.end(isScript ? script : `${page}<script type="module" src="/script.js"></script>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    site.closeAllConnections();
    site.close();
  });
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

export async function openPage(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1000, height: 800 } })).newPage();
  await page.goto(address);
  return page;
}
