import { Command } from 'commander';
import type { AnyAction } from '../../protocol/actions/action.ts';
import { ACTIONS } from '../../protocol/actions/index.ts';
import { actionCommand } from './action-command.ts';
import type { Cli } from './cli.ts';
import { account } from './commands/account.ts';
import { deleteApp } from './commands/app/delete.ts';
import { listApps } from './commands/app/list.ts';
import { uploadApp } from './commands/app/upload.ts';
import { completion } from './commands/completion.ts';
import { doctor } from './commands/doctor.ts';
import { createKey } from './commands/keys/create.ts';
import { listKeys } from './commands/keys/list.ts';
import { revokeKey } from './commands/keys/revoke.ts';
import { revokeAll } from './commands/keys/revoke-all.ts';
import { createLink } from './commands/links/create.ts';
import { listLinks } from './commands/links/list.ts';
import { revokeLink } from './commands/links/revoke.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { openUrl } from './commands/open-url.ts';
import { downloadRecording } from './commands/record/download.ts';
import { listRecordings } from './commands/record/list.ts';
import { startRecording } from './commands/record/start.ts';
import { recordingStatus } from './commands/record/status.ts';
import { stopRecording } from './commands/record/stop.ts';
import { run } from './commands/run.ts';
import { screenshot } from './commands/screenshot.ts';
import { createSession } from './commands/session/create.ts';
import { deleteSession } from './commands/session/delete.ts';
import { getSession } from './commands/session/get.ts';
import { listSessions } from './commands/session/list.ts';
import { useSession } from './commands/session/use.ts';
import { listTokens } from './commands/tokens/list.ts';
import { revokeToken } from './commands/tokens/revoke.ts';
import { view } from './commands/view.ts';
import { watch } from './commands/watch.ts';
import { group } from './leaf.ts';

const ENVIRONMENT = `
Environment:
  RUNCLOUD_API_KEY    your key; takes precedence over a sign-in
  RUNCLOUD_BASE_URL   the service (default: http://127.0.0.1:8787)
  RUNCLOUD_SESSION    the session (default: the last one)

Failures are one JSON object on standard error. Exit codes: 1 failed, 2 wrong arguments, 124 timed out, 130 interrupted.`;

/** The whole command line. */
export function buildProgram(cli: Cli, version: string): Command {
  const program: Command = new Command('runcloud')
    .description('Remote control of iOS Simulators and Android Emulators')
    .version(version, '-V, --version', 'print the version')
    .addHelpText('after', ENVIRONMENT);
  const session = [createSession, getSession, listSessions, deleteSession, useSession];
  const record = [startRecording, recordingStatus, listRecordings, stopRecording, downloadRecording];
  const apps = [uploadApp, listApps, deleteApp];
  const actions = Object.values<AnyAction>(ACTIONS).flatMap((action) => actionCommand(cli, action) ?? []);
  const keys = [createKey, listKeys, revokeKey, revokeAll];
  const tokens = [listTokens, revokeToken];
  const links = [createLink, listLinks, revokeLink];
  for (const make of [login, logout, account]) program.addCommand(make(cli));
  program.addCommand(
    group(
      'keys',
      'API keys',
      keys.map((make) => make(cli)),
    ),
  );
  program.addCommand(
    group(
      'tokens',
      'Programs that are signed in',
      tokens.map((make) => make(cli)),
    ),
  );
  program.addCommand(
    group(
      'session',
      'Sessions',
      session.map((make) => make(cli)),
    ),
  );
  for (const command of actions) program.addCommand(command);
  for (const make of [screenshot, openUrl]) program.addCommand(make(cli));
  program.addCommand(
    group(
      'record',
      'Recordings of the screen',
      record.map((make) => make(cli)),
    ),
  );
  program.addCommand(
    group(
      'app',
      'Apps to install',
      apps.map((make) => make(cli)),
    ),
  );
  program.addCommand(view(cli));
  program.addCommand(
    group(
      'links',
      'Links for others to view or control a session',
      links.map((make) => make(cli)),
    ),
  );
  for (const make of [watch, run, doctor]) program.addCommand(make(cli));
  program.addCommand(completion(cli, () => program));
  return program;
}
