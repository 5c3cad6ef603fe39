import { readFileSync } from 'node:fs';
import t from 'tap';
import { ACTION_COMMANDS } from '../../client/cli/action-commands.ts';
import type { ObjectSchema } from '../../protocol/actions/action.ts';
import {
  ACTIONS,
  type ActionName,
  type AnyAction,
  type AnyMethod,
  BUTTONS,
  CLIENT_MESSAGES,
  CLOSE,
  CONTROL_SUBPROTOCOL,
  CreateSession,
  checkCreateSession,
  compileCheck,
  ERROR_WORDS,
  ERRORS,
  type ErrorCode,
  type ErrorKind,
  KEYS,
  LIMITS,
  METHODS,
  MODIFIERS,
  ORIENTATIONS,
  RENDER_OPTIONS,
  ROUTES,
  type Route,
  type RouteRole,
  SCREEN_ENCODINGS,
  SERVER_MESSAGES,
  SESSION_STATUSES,
  SessionRecord,
} from '../../protocol/index.ts';

/** The normative text mentions everything that the code has. */

// Tables are padded for reading; the padding says nothing.
const text = readFileSync(new URL('../../protocol/README.md', import.meta.url), 'utf8').replaceAll(/ {2,}/g, ' ');
const headings = text.split('\n').filter((line) => line.startsWith('### '));
const says = (name: string): boolean => text.includes(`\`${name}\``);

t.test('every message type of both directions has a section', async (t) => {
  for (const type of ['interaction', ...CLIENT_MESSAGES.keys(), ...Object.keys(SERVER_MESSAGES)]) {
    t.ok(
      headings.some((heading) => heading.includes(`\`${type}\``)),
      type,
    );
  }
});

t.test('every field of a message from the client is mentioned', async (t) => {
  const properties = [...CLIENT_MESSAGES.values(), ...Object.values(ACTIONS)].map(({ schema }) => schema.properties);
  for (const name of new Set(properties.flatMap((fields) => Object.keys(fields)))) {
    if (name !== 'type') t.ok(says(name) || says(`${name}?`), name);
  }
});

t.test('every error code stands in the catalogue with its status and retryability', async (t) => {
  for (const [code, { http, retryable }] of Object.entries<ErrorKind>(ERRORS)) {
    const { message } = ERROR_WORDS[code as ErrorCode];
    t.ok(text.includes(`| \`${code}\` | ${http} | ${retryable ? 'yes' : 'no'} | ${message} |`), code);
  }
});

t.test('every close code stands in its table', async (t) => {
  for (const { code } of Object.values(CLOSE)) t.match(text, new RegExp(`^\\| ${code} \\|`, 'm'));
});

t.test('every action has a row with its own fields and its result', async (t) => {
  for (const { name, schema, result, platforms } of Object.values<AnyAction>(ACTIONS)) {
    const [, fields = '', answer = ''] = new RegExp(`^\\| \`${name}\` \\|(.*)\\|(.*)\\|$`, 'm').exec(text) ?? [];
    for (const field of Object.keys(schema.properties)) {
      if (['action', 'requestId', 'timeoutMs', 'observe'].includes(field)) continue;
      const optional = schema.required?.includes(field) ? '' : '?';
      t.match(fields, `\`${field}${optional}\``, `${name}: ${field}`);
    }
    const shape = result ? `{ ${Object.keys(result.properties).join(', ')} }` : 'none';
    t.match(answer, platforms.length === 0 ? 'never: `unsupported_action`' : shape, `${name}: its result`);
  }
});

t.test('the overview and the page of the package name every action and command', async (t) => {
  const [overview, clients] = ['README.md', 'client/README.md'].map((file) => readFileSync(file, 'utf8'));
  for (const { name, platforms } of Object.values<AnyAction>(ACTIONS)) {
    const { alias }: AnyMethod = METHODS[name as ActionName];
    const command = ACTION_COMMANDS[name as ActionName];
    if (platforms.length > 0) t.match(overview, new RegExp(`^\\|.*\`${name}\`.*\\|`, 'm'), name);
    for (const method of [name, ...(alias === undefined ? [] : [alias])]) t.match(clients, `\`${method}\``, method);
    if (command) t.match(clients, new RegExp(`^\\|.*\`${command.name}\`.*one interaction each`, 'm'), command.name);
  }
});

t.test('every value of every enumeration is mentioned', async (t) => {
  for (const value of [...BUTTONS, ...MODIFIERS, ...ORIENTATIONS, ...RENDER_OPTIONS, ...SCREEN_ENCODINGS]) {
    t.ok(says(value), value);
  }
  // Letters, digits, function keys and digits of the number pad are written as ranges.
  for (const key of KEYS.filter((key) => !/^(.|f\d+|numpad\d)$/.test(key))) t.ok(says(key), key);
});

const WHO: Readonly<Record<RouteRole, string>> = {
  account: 'account',
  operator: 'operator',
  session: 'session',
  leasedSession: 'active session',
  activeSession: 'active session',
};
const STRANGERS = { own: 'own page', none: 'program', any: 'anybody' } as const;

function whoMayCall({ credential, role, pages }: Route): string {
  if (role !== undefined) return WHO[role];
  return credential === 'none' ? STRANGERS[pages ?? 'any'] : credential === 'viewerToken' ? 'viewer token' : credential;
}

t.test('every route has a row that says who may call it and what it does', async (t) => {
  for (const route of Object.values<Route>(ROUTES)) {
    const row = `| \`${route.method} ${route.path}\` | ${whoMayCall(route)} | ${route.summary} |`;
    t.ok(text.includes(row), row);
  }
  t.ok(says(CONTROL_SUBPROTOCOL));
});

t.test('the limits of a message are the ones in force', async (t) => {
  const { clientMessageBytes, clientMessageDepth, clientMessageEntries, clientKeyBytes } = LIMITS;
  const written = (value: number) => value.toLocaleString('en-US');
  t.ok(
    text.includes(
      `${written(clientMessageBytes)} bytes, depth ${clientMessageDepth}, ` +
        `${written(clientMessageEntries)} entries, keys of ${clientKeyBytes} bytes`,
    ),
  );
});

t.test('every example is a message that its schema accepts', async (t) => {
  const examples = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => JSON.parse(match[1] ?? ''));
  t.ok(examples.length >= 12);
  for (const example of examples) {
    const known = CLIENT_MESSAGES.get(example.type);
    if (known) t.equal(known.check(example), undefined, example.type);
    else t.ok(example.type === 'interaction' || example.type in SERVER_MESSAGES, example.type);
  }
});

/** The rows of the table with these headings, by each name in their first cell. */
function rowsOf(section: string, nth: number): ReadonlyMap<string, string> {
  const [, after = ''] = text.split(`\n### ${section}\n`);
  const table = [...after.matchAll(/\| Field.*\n\| -+.*\n((?:\|.*\n)+)/g)][nth]?.[1] ?? '';
  const rows = table.split('\n').filter((row) => row !== '');
  return new Map(
    rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+\??)`/g)].map(([, name = '']) => [name, row])),
  );
}

t.test('the body of a new session and the record of a session have a row for each field', async (t) => {
  const namesOf = ({ properties, required = [] }: ObjectSchema, mark: string) =>
    Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}${mark}`));
  t.same([...rowsOf('Sessions', 0).keys()], namesOf(CreateSession, '?'));
  t.same([...rowsOf('Sessions', 1).keys()].sort(), namesOf(SessionRecord, '').sort());
  const { device } = SessionRecord.properties;
  for (const name of Object.keys(device.properties)) t.match(rowsOf('Sessions', 1).get('device'), name);
  for (const status of SESSION_STATUSES) t.match(rowsOf('Sessions', 1).get('status'), `\`${status}\``);
});

t.test('the requests and answers of sessions are what their schemas accept', async (t) => {
  const [, section = ''] = /\n### Sessions\n([\s\S]*?)\n### /.exec(text) ?? [];
  const [body, record] = [...section.matchAll(/```http\n[\s\S]*?\n\n([\s\S]*?)```/g)].map(([, json = '']) =>
    JSON.parse(json),
  );
  t.match(checkCreateSession(body), { ok: true });
  t.equal(compileCheck(SessionRecord)(record), undefined);
});
