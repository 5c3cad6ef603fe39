import { LIMITS } from '../../../../protocol/limits.ts';
import { PLATFORMS } from '../../../../protocol/platforms.ts';
import { SESSION_STATUSES } from '../../../../protocol/session-status.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { Platform, SessionStatus } from '../../../sdk/types.ts';
import { invalidRequest } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type ListOptions, listed, listLines, listOptions, toPageQuery } from '../../listing.ts';
import { lineOf, shown } from './shown.ts';

type Options = ListOptions & { readonly platform?: string; readonly status?: string };

/** Offered under two names. */
const examples = (name: string): string[] =>
  ['', ' --status active --all --json'].map((more) => `${name === 'ls' ? 'ls' : 'session list'}${more}`);

export const define: Define = (command, cli) =>
  listOptions(
    leaf(command, examples(command.name()))
      .option('--platform <platform>', PLATFORMS.join(' or '))
      .option('--status <status>', SESSION_STATUSES.join(', ')),
    LIMITS.listed.max,
  ).action(async (options: Options) => {
    const page = toPageQuery(options, checkedListQuery);
    const filter = {
      platform: among<Platform>('--platform', options.platform, PLATFORMS),
      status: among<SessionStatus>('--status', options.status, SESSION_STATUSES),
      signal: cli.io.interrupt,
    };
    const { sessions } = cli.cloud;
    const list = await listed(
      options,
      () => sessions.list({ ...filter, ...page }),
      () => sessions.all(filter),
    );
    const { items, ...rest } = list;
    const lines = listLines(list, ({ record }) => lineOf(record), 'no sessions');
    cli.print(options, { sessions: items.map(({ record }) => shown(record)), ...rest }, lines);
  });

function among<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((item) => item === value);
  if (!found) throw invalidRequest(`"${name}" must be one of ${allowed.join(', ')}.`);
  return found;
}
