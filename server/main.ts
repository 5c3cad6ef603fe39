import './require-node.ts';
import { LIMITS } from '@runcloud/protocol/terms';
import { AccountError } from './account/account-error.ts';
import { LOCAL_ACCOUNT } from './account/accounts.ts';
import { type App, startApp } from './app.ts';
import { createLogger } from './observe/logger.ts';
import { readSettings, type Settings, SettingsError } from './settings.ts';

/** The process: reads the settings, prints a line when it is ready, and drains on a signal. */

function settingsOrExit(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`runcloud: ${error.message}\n`);
    process.exit(EXIT_FAULT);
  }
}

/** Exit code of a failed start, of an uncaught exception, and after a second signal. */
const EXIT_FAULT = 1;

const settings = settingsOrExit();
const logger = createLogger(settings.logLevel);

async function startOrExit(): Promise<App> {
  try {
    return await startApp(settings, logger);
  } catch (error) {
    const known = error instanceof AccountError || error instanceof Error;
    process.stderr.write(`runcloud: cannot start: ${known ? error.message : String(error)}\n`);
    process.exit(EXIT_FAULT);
  }
}

const app = await startOrExit();
if (settings.fleet?.role === 'host') {
  process.stdout.write(`RunCloud host ${settings.fleet.hostName} serves its fleet\n`);
} else {
  process.stderr.write(`${welcomeText(app)}\n`);
  process.stdout.write(`RunCloud listening on ${app.url}\n`);
}

// A file that reaches the size limit fails one recording or upload. Without a listener the signal would end the process.
process.on('SIGXFSZ', () => undefined);

let stopping = false;
let exitCode = 0;

/** Drains the service, then ends the process. */
function stop(): void {
  stopping = true;
  // A client that keeps its socket open must not keep the process alive.
  setTimeout(() => process.exit(exitCode), LIMITS.drainMsMax - 500).unref();
  app.close().then(
    () => process.exit(exitCode),
    (error) => {
      logger.error({ err: error }, 'the drain failed');
      process.exit(EXIT_FAULT);
    },
  );
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) process.exit(EXIT_FAULT);
    stop();
  });
}

// An exception that reaches this point has left some work half done, and nothing says which. The service therefore stops in
// the usual way, and its exit code tells the supervisor to start it again.
process.on('uncaughtException', (error, origin) => {
  // An exception that repeats until the end is logged once.
  if (exitCode === 0) logger.fatal({ err: error, origin }, 'an unexpected fault ends the service');
  exitCode = EXIT_FAULT;
  if (!stopping) stop();
});

/** The lines of a start for the person at the terminal. They hold a key and a link, so no log gets them. */
function welcomeText({ url: ownUrl, firstKey, signInUrl }: App): string {
  const url = settings.publicUrl ?? ownUrl;
  const signIn = 'npm run --silent admin -- account sign-in local';
  const key = firstKey && [
    `  The API key of the account "${LOCAL_ACCOUNT}", for programs. It is shown only now:`,
    '',
    `    export RUNCLOUD_API_KEY=${firstKey.key}`,
    '',
  ];
  if (signInUrl === undefined) return ['', `  Open ${url}/`, `  A link that signs you in: ${signIn}`, ''].join('\n');
  const link = ['  Open this link in a browser. It signs you in, once, within 15 minutes:', '', `    ${signInUrl}`, ''];
  return ['', ...link, ...(key ?? []), `  Another link: ${signIn}`, ''].join('\n');
}
