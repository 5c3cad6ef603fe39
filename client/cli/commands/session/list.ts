import type { Command } from 'commander';
import { LIMITS } from '../../../../protocol/limits.ts';
import { PLATFORMS } from '../../../../protocol/platforms.ts';
import { SESSION_STATUSES } from '../../../../protocol/session-status.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { Platform, SessionStatus } from '../../../sdk/types.ts';
import type { Cli } from '../../cli.ts';
import { invalidRequest } from '../../failure.ts';
import { leaf } from '../../leaf.ts';
import { type ListOptions, listed, listLines, listOptions, toPageQuery } from '../../listing.ts';
import { lineOf, shown } from './shown.ts';

type Options = ListOptions & { readonly platform?: string; readonly status?: string };

export const listSessions = (cli: Cli): Command =>
  listOptions(
    leaf('list', 'List sessions, newest first', ['session list', 'session list --status active --all --json'])
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
