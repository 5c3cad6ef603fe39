import type { ActionName } from '../../protocol/actions/index.ts';
import type { ActionCommand } from './action-commands.ts';
import type { Define } from './leaf.ts';

/** A command. Its file is loaded when it is called, so that no command waits for the others. */
export interface Leaf {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<{ readonly define: Define }>;
}

/** A command that only holds others. */
export interface Group {
  readonly name: string;
  readonly summary: string;
  readonly leaves: readonly Leaf[];
}

/** Commands under one heading of the help. */
export interface Section {
  readonly heading: string;
  readonly commands: readonly (Leaf | Group)[];
}

const leaf = (name: string, summary: string, load: Leaf['load']): Leaf => ({ name, summary, load });
const group = (name: string, summary: string, leaves: readonly Leaf[]): Group => ({ name, summary, leaves });

const ACCOUNT: Section = {
  heading: 'Account:',
  commands: [
    leaf('login', 'Sign in: approve a code in the dashboard', () => import('./commands/login.ts')),
    leaf('logout', 'Sign out: revoke the tokens and delete them', () => import('./commands/logout.ts')),
    leaf('account', 'Show the account of the current credential', () => import('./commands/account.ts')),
    group('keys', 'API keys', [
      leaf('create', 'Create an API key, and print it this once', () => import('./commands/keys/create.ts')),
      leaf('list', 'List API keys, newest first', () => import('./commands/keys/list.ts')),
      leaf('revoke', 'Revoke an API key; what it opened is closed', () => import('./commands/keys/revoke.ts')),
      leaf(
        'revoke-all',
        'Revoke all that opens the account: keys, programs, browsers, links',
        () => import('./commands/keys/revoke-all.ts'),
      ),
    ]),
    group('tokens', 'Programs that are signed in', [
      leaf('list', 'List the programs that are signed in, newest first', () => import('./commands/tokens/list.ts')),
      leaf('revoke', 'Sign a program out; what it opened is closed', () => import('./commands/tokens/revoke.ts')),
    ]),
  ],
};

const SESSIONS: Section = {
  heading: 'Sessions:',
  commands: [
    group('session', 'Sessions', [
      leaf('create', 'Create a session and use it for later commands', () => import('./commands/session/create.ts')),
      leaf('get', 'Show a session, even after it has ended', () => import('./commands/session/get.ts')),
      leaf('list', 'List sessions, newest first', () => import('./commands/session/list.ts')),
      leaf('delete', 'Release a session and its device', () => import('./commands/session/delete.ts')),
      leaf('use', 'Use a session for later commands', () => import('./commands/session/use.ts')),
    ]),
    leaf('ls', 'List sessions, as "session list" does', () => import('./commands/session/list.ts')),
    leaf(
      'view',
      "Print the viewer's link; whoever has it may use it, so keep it like a key",
      () => import('./commands/view.ts'),
    ),
    group('links', 'Links for others to view or control a session', [
      leaf(
        'create',
        'Make a link for others, and print it this once; keep it like a key',
        () => import('./commands/links/create.ts'),
      ),
      leaf('list', 'List the links that open a session, newest first', () => import('./commands/links/list.ts')),
      leaf('revoke', 'Revoke a link; what it opened is closed', () => import('./commands/links/revoke.ts')),
    ]),
    group('control', 'Who controls a session; input of others is refused', [
      leaf('status', 'Show who has control and who waits for it', () => import('./commands/control/status.ts')),
      leaf(
        'request',
        'Ask for control; you have it at once if it is free',
        () => import('./commands/control/request.ts'),
      ),
      leaf('take', 'Take control from whoever has it', () => import('./commands/control/take.ts')),
      leaf('release', 'Give up control, or withdraw a request', () => import('./commands/control/release.ts')),
      leaf('grant', 'Give control to one who waits', () => import('./commands/control/grant.ts')),
      leaf('deny', 'Refuse one who waits', () => import('./commands/control/deny.ts')),
    ]),
    leaf('watch', 'Print events as they happen, until the session ends', () => import('./commands/watch.ts')),
    leaf('history', 'Print what was done in a session, even after it has ended', () => import('./commands/history.ts')),
  ],
};

/** Each performs two of the contract's actions. */
const PLACES = [
  leaf('tap', 'Tap the screen, or an element of it', () => import('./commands/tap.ts')),
  leaf('scroll', 'Scroll by fractions of the viewport, or to an element', () => import('./commands/scroll.ts')),
];

/** The commands of the contract's actions come before these, under the same heading. */
const INTERACTIONS: Section = {
  heading: 'Interactions:',
  commands: [
    leaf('screenshot', 'Take a PNG of the display', () => import('./commands/screenshot.ts')),
    leaf('ui', 'Print what is on the screen', () => import('./commands/ui.ts')),
    leaf('wait', 'Wait until something is so on the screen', () => import('./commands/wait.ts')),
    leaf('check', 'Say whether something is so on the screen: exit code 0 or 1', () => import('./commands/check.ts')),
    leaf('install', 'Install an app on the running device', () => import('./commands/install.ts')),
    leaf('open-url', 'Open a web address or a deep link', () => import('./commands/open-url.ts')),
    group('clipboard', 'The clipboard of the device', [
      leaf('get', 'Print the text in the clipboard', () => import('./commands/clipboard/get.ts')),
      leaf('set', 'Write a text to the clipboard', () => import('./commands/clipboard/set.ts')),
    ]),
    leaf('logs', 'Print the log of the device', () => import('./commands/logs.ts')),
    group('media', 'The photo library of the device', [
      leaf('add', 'Add a picture or a video to the photos', () => import('./commands/media/add.ts')),
    ]),
    group('files', 'Files of the device', [
      leaf('ls', 'List a folder', () => import('./commands/files/ls.ts')),
      leaf('pull', 'Copy a file from the device', () => import('./commands/files/pull.ts')),
      leaf('push', 'Copy a file to the device', () => import('./commands/files/push.ts')),
      leaf('rm', 'Delete a file, a link or an empty folder', () => import('./commands/files/rm.ts')),
    ]),
    leaf(
      'run',
      'Perform requests from standard input, one JSON object per line, over one control socket',
      () => import('./commands/run.ts'),
    ),
    leaf(
      'mcp',
      'Serve a language model over standard input and output (Model Context Protocol)',
      () => import('./commands/mcp.ts'),
    ),
    group('flow', 'Flows: tests of an app, as files in the format of Maestro', [
      leaf('run', 'Run flows, and tell which fail and where', () => import('./commands/flow/run.ts')),
      leaf('capture', 'Make a flow of what was done in a session', () => import('./commands/flow/capture.ts')),
    ]),
    leaf(
      'replay',
      'Send the inputs of a history to another session, and tell which end otherwise',
      () => import('./commands/replay.ts'),
    ),
  ],
};

const FILES: Section = {
  heading: 'Recordings, apps and snapshots:',
  commands: [
    group('record', 'Recordings of the screen', [
      leaf('start', 'Start a recording of the screen', () => import('./commands/record/start.ts')),
      leaf('status', 'Show a recording and its events', () => import('./commands/record/status.ts')),
      leaf('list', 'List recordings, newest first', () => import('./commands/record/list.ts')),
      leaf('stop', 'Stop a recording and finalize its file', () => import('./commands/record/stop.ts')),
      leaf('download', 'Download a recording as MP4', () => import('./commands/record/download.ts')),
      leaf('poster', 'Save a small JPEG of a recording', () => import('./commands/record/poster.ts')),
    ]),
    group('app', 'Apps to install', [
      leaf('upload', 'Upload an app, for "session create --app"', () => import('./commands/app/upload.ts')),
      leaf('list', 'List uploaded apps, newest first', () => import('./commands/app/list.ts')),
      leaf('delete', 'Delete an uploaded app', () => import('./commands/app/delete.ts')),
    ]),
    group('snapshot', 'Kept states of devices, to start sessions from', [
      leaf('create', "Keep the state of a session's device", () => import('./commands/snapshot/create.ts')),
      leaf('list', 'List snapshots, newest first', () => import('./commands/snapshot/list.ts')),
      leaf('delete', 'Delete a snapshot', () => import('./commands/snapshot/delete.ts')),
    ]),
  ],
};

/** The heading of the commands that tell. */
export const HELP = 'Help:';

const OTHERS: Section = {
  heading: HELP,
  commands: [
    leaf(
      'doctor',
      "Check the devices and the prerequisites of the service's host, and how to fix what is missing",
      () => import('./commands/doctor.ts'),
    ),
    leaf(
      'hosts',
      'List the hosts of the service, and which devices are free; for the operator',
      () => import('./commands/hosts.ts'),
    ),
    leaf('skill', 'Print the skill that teaches agents these commands', () => import('./commands/skill.ts')),
    leaf('completion', 'Print a script that completes commands in a shell', () => import('./commands/completion.ts')),
    leaf('version', 'Print the version', () => import('./commands/version.ts')),
  ],
};

/** Every command that is not made of one of the contract's actions. */
export const OWN_COMMANDS = [
  ...PLACES,
  ...[SESSIONS, INTERACTIONS, FILES, ACCOUNT, OTHERS].flatMap(({ commands }) => commands),
];

/** Every command. */
export async function allSections(): Promise<readonly Section[]> {
  const { ACTION_NAMES, ACTIONS } = await import('../../protocol/actions/index.ts');
  const { ACTION_COMMANDS } = await import('./action-commands.ts');
  const actions = ACTION_NAMES.flatMap((name) => {
    const command = ACTION_COMMANDS[name];
    return command ? [actionLeaf(name, ACTIONS[name].summary, command)] : [];
  });
  return [
    SESSIONS,
    { ...INTERACTIONS, commands: [...PLACES, ...actions, ...INTERACTIONS.commands] },
    FILES,
    ACCOUNT,
    OTHERS,
  ];
}

function actionLeaf(name: ActionName, summary: string, command: ActionCommand): Leaf {
  return leaf(command.name, summary, async () => {
    const { performs } = await import('./action-command.ts');
    return { define: performs(name, command) };
  });
}
