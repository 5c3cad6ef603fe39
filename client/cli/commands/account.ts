import type { Account } from '../../sdk/types.ts';
import type { OutputOptions } from '../cli.ts';
import { type Define, leaf } from '../leaf.ts';
import { facts } from '../terminal/facts.ts';
import type { Line } from '../terminal/line.ts';

const CREDENTIALS = { key: 'the API key', token: 'the sign-in', dashboard: 'the dashboard' };

export const define: Define = (command, cli) =>
  leaf(command, ['account', 'account --json']).action(async (options: OutputOptions) => {
    const read = await cli.cloud.account.get({ signal: cli.io.interrupt });
    cli.print(options, read, linesOf(read, cli.baseUrl), () => factsOf(read, cli.baseUrl));
  });

function linesOf({ id, organizationId, name, email, credential }: Account, baseUrl: string): string[] {
  const facts = { account: `${name} (${id})`, 'e-mail': email, organization: organizationId, service: baseUrl };
  const lines = Object.entries({ ...facts, by: `${CREDENTIALS[credential.kind]} ${credential.id}` });
  return lines.flatMap(([label, fact]) => (fact === undefined ? [] : [`${label.padEnd(14)}${fact}`]));
}

const factsOf = ({ id, organizationId, name, email, credential }: Account, baseUrl: string): Line[] =>
  facts({
    Account: `${name} (${id})`,
    'E-mail': email,
    Organization: organizationId,
    Service: baseUrl,
    'Signed in by': `${CREDENTIALS[credential.kind]} ${credential.id}`,
  });
