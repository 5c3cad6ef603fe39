import { findingLines } from '../../../protocol/finding-lines.ts';
import { RunCloudError } from '../../sdk/error.ts';
import type { Account, Finding } from '../../sdk/types.ts';
import type { Cli, OutputOptions } from '../cli.ts';
import { type Define, leaf } from '../leaf.ts';
import { visible } from '../visible.ts';

/** The host's paths and programs are shown only to the operator. */
const ON_THE_HOST = 'Only the account "local" may check the host. On the host itself, use "npm run admin -- doctor".';

export const define: Define = (command, cli) =>
  leaf(command, ['doctor', 'doctor --json']).action(async (options: OutputOptions) => {
    const signal = cli.io.interrupt;
    const account = await cli.cloud.account.get({ signal });
    const findings = await findingsOf(cli, signal);
    const { baseUrl } = cli;
    cli.print(options, { baseUrl, account, ...(findings && { findings }) }, linesOf(baseUrl, account, findings));
  });

/** `undefined` for an account that may not check the host. */
async function findingsOf(cli: Cli, signal: AbortSignal): Promise<readonly Finding[] | undefined> {
  try {
    return (await cli.cloud.doctor({ signal })).findings;
  } catch (error) {
    if (error instanceof RunCloudError && error.code === 'not_found') return undefined;
    throw error;
  }
}

function linesOf(baseUrl: string, { name, id }: Account, findings: readonly Finding[] | undefined): string[] {
  const service: readonly Finding[] = [
    { what: 'Service', state: 'ready', detail: baseUrl },
    { what: 'Account', state: 'ready', detail: `${name} (${id})` },
  ];
  // The lines are split again, so no field may bring its own.
  const lines = findingLines([...service, ...(findings ?? [])].map(shown))
    .trimEnd()
    .split('\n');
  return findings ? lines : [...lines, '', ON_THE_HOST];
}

const shown = ({ what, state, detail, fix }: Finding): Finding => ({
  what: visible(what),
  state: visible(state) as Finding['state'],
  detail: visible(detail),
  ...(fix === undefined ? {} : { fix: visible(fix) }),
});
