import { hostname } from 'node:os';
import type { Cli, OutputOptions } from '../cli.ts';
import { refusal } from '../failure.ts';
import { type Define, leaf } from '../leaf.ts';
import { awaitTokens } from '../sign-in/device-flow.ts';
import { bold, cyan, done } from '../terminal/line.ts';

type Options = OutputOptions & { readonly browser: boolean };

/** The service refuses names that are longer, or that hold characters which are not seen. */
const DEVICE_NAME_CHARACTERS_MAX = 64;

export const define: Define = (command, cli) =>
  leaf(command, ['login', 'login --no-browser'])
    .option('--no-browser', 'only print the address')
    .action((options: Options) => signIn(cli, options));

async function signIn(cli: Cli, options: Options): Promise<void> {
  const { interrupt, env } = cli.io;
  const { oauth } = cli.signIn;
  const deviceName = hostname()
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '')
    .slice(0, DEVICE_NAME_CHARACTERS_MAX);
  const code = await oauth.begin(deviceName === '' ? undefined : deviceName, interrupt);
  if ('refused' in code) throw refusal(code.refused, code.description || 'The service refused the sign-in.');
  const { userCode, verificationUri, verificationUriComplete, lifeMs: expiresInMs } = code;
  cli.print(
    options,
    { status: 'pending', userCode, verificationUri, verificationUriComplete, expiresInMs },
    [`Open ${verificationUriComplete} and check that it shows the code ${userCode}`],
    () => [
      ['Open ', cyan(verificationUriComplete)],
      ['and check that it shows the code ', bold(userCode), '.'],
    ],
  );
  const isForPerson = cli.out.isTerminal && !options.json;
  if (isForPerson && options.browser && !cli.open(verificationUriComplete)) {
    cli.out.asideLines([`That address is not of ${cli.baseUrl}, so it is not opened for you.`]);
  }
  await cli.signIn.keep(await awaitTokens(oauth, code, interrupt));
  const account = await cli.signedIn().account.get({ signal: interrupt });
  const { name, email = name } = account;
  const notes = env.RUNCLOUD_API_KEY ? ['RUNCLOUD_API_KEY is set and takes precedence over this sign-in.'] : [];
  const sentence = `Signed in to ${cli.baseUrl} as ${email}`;
  cli.print(options, { status: 'completed', account }, [sentence, ...notes], () => [done(`${sentence}.`), ...notes]);
}
