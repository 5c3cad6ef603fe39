import { existsSync } from 'node:fs';

/** The one of Debian without windows draws a page in a quarter of the processor time; elsewhere there may be none. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** The browser of the tests, and how it is started: headless, and without a word to anybody. */
export const CHROMIUM: string = PROGRAMS.find((program) => existsSync(program)) ?? PROGRAMS[1];

export const CHROMIUM_ARGUMENTS = [
  '--no-sandbox',
  '--headless=new',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
] as const;
