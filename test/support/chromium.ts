/** The browser of the tests, and how it is started: headless, and without a word to anybody. */
export const CHROMIUM = '/usr/bin/chromium';

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
