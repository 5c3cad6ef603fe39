import type { Command } from 'commander';
import { PLATFORMS } from '../../../../protocol/platforms.ts';
import { SESSION_STATUSES } from '../../../../protocol/session.ts';
import type { Platform, SessionStatus } from '../../../sdk/types.ts';
import type { Cli, OutputOptions } from '../../cli.ts';
import { invalidRequest } from '../../failure.ts';
import { leaf } from '../../leaf.ts';
import { lineOf, shown } from './shown.ts';

type Options = OutputOptions & { readonly platform?: string; readonly status?: string };

export const listSessions = (cli: Cli): Command =>
  leaf('list', 'List sessions, newest first', ['session list', 'session list --status active --json'])
    .option('--platform <platform>', PLATFORMS.join(' or '))
    .option('--status <status>', SESSION_STATUSES.join(', '))
    .action(async (options: Options) => {
      const platform = among<Platform>('--platform', options.platform, PLATFORMS);
      const status = among<SessionStatus>('--status', options.status, SESSION_STATUSES);
      const sessions = await cli.cloud.sessions.list({ platform, status, signal: cli.io.interrupt });
      const lines = sessions.map(({ record }) => lineOf(record));
      cli.print(
        options,
        { sessions: sessions.map(({ record }) => shown(record)) },
        lines.length === 0 ? ['no sessions'] : lines,
      );
    });

function among<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((item) => item === value);
  if (!found) throw invalidRequest(`"${name}" must be one of ${allowed.join(', ')}.`);
  return found;
}
