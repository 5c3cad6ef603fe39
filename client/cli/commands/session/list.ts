import { LIMITS } from '../../../../protocol/limits.ts';
import { PLATFORMS } from '../../../../protocol/platforms.ts';
import { SESSION_STATUSES } from '../../../../protocol/session-status.ts';
import { checkedListQuery } from '../../../sdk/arguments.ts';
import type { Session, SessionFilter, Sessions } from '../../../sdk/sessions.ts';
import type { Platform, SessionRecord, SessionStatus } from '../../../sdk/types.ts';
import { invalidRequest } from '../../failure.ts';
import { type Define, leaf } from '../../leaf.ts';
import { type Listed, type ListOptions, listed, listOptions, printList, taken, toPageQuery } from '../../listing.ts';
import { ageOf } from '../../terminal/age.ts';
import { statusSpan } from '../../terminal/status.ts';
import type { Column } from '../../terminal/table.ts';
import { deviceOf, endOf, labelsOf, lineOf, shown } from './shown.ts';

type Options = ListOptions & { readonly platform?: string; readonly status?: string };

const LIVE: readonly SessionStatus[] = ['starting', 'active', 'releasing'];

const COLUMNS: readonly Column<SessionRecord>[] = [
  { header: 'ID', cell: ({ id }) => id },
  { header: 'STATUS', cell: ({ status }) => statusSpan(status) },
  { header: 'STARTED', cell: ({ createdAt }, nowMs) => ageOf(createdAt, nowMs) },
  { header: 'ENDS', cell: endOf },
  { header: 'PLATFORM', cell: ({ platform }) => platform },
  { header: 'LABELS', cell: labelsOf, min: 8 },
  { header: 'DEVICE', cell: deviceOf, min: 12 },
];

const NONE = ['no sessions', 'No sessions. Create one with "runcloud session create ios".'] as const;
const NONE_LIVE = [
  'no sessions',
  'No live sessions. Create one with "runcloud session create ios", or see ended ones with --all.',
] as const;

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
    const platform = among<Platform>('--platform', options.platform, PLATFORMS);
    const status = among<SessionStatus>('--status', options.status, SESSION_STATUSES);
    const signal = cli.io.interrupt;
    const { sessions } = cli.cloud;
    const selects = options.all || status !== undefined || page.cursor !== undefined || page.limit !== undefined;
    const isLive = cli.isForPerson(options) && !selects;
    const list = isLive
      ? await liveSessions(sessions, { platform, signal })
      : await listed(
          options,
          () => sessions.list({ platform, status, signal, ...page }),
          () => sessions.all({ platform, status, signal }),
        );
    const records = { ...list, items: list.items.map(({ record }) => record) };
    const none = isLive ? NONE_LIVE : NONE;
    printList(cli, options, records, { name: 'sessions', lineOf, columns: COLUMNS, none, json: shown });
  });

type Filter = Omit<SessionFilter, 'status'>;

/** All that have not ended, newest first. They are few, while ended ones are listed for weeks. */
async function liveSessions(sessions: Sessions, filter: Filter): Promise<Listed<Session>> {
  const lists = await Promise.all(LIVE.map((status) => taken(sessions.all({ ...filter, status }))));
  return { items: lists.flat().sort((a, b) => b.record.createdAt.localeCompare(a.record.createdAt)) };
}

function among<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((item) => item === value);
  if (!found) throw invalidRequest(`"${name}" must be one of ${allowed.join(', ')}.`);
  return found;
}
