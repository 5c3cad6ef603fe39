import { type Static, Type } from '@sinclair/typebox';
import { compileCheck, oneOf } from './compile-check.ts';
import { KeyName } from './create-key.ts';
import type { Checked } from './fault.ts';
import { id, text, timestamp, whole } from './fields.ts';
import { NEXT } from './listing.ts';

/** Accounts, their API keys and their usage, as clients send and see them. Sign-in is in `sign-in.ts`. */

const CREDENTIALS = ['key', 'token', 'dashboard'] as const;
export type CredentialKind = (typeof CREDENTIALS)[number];

/** The account that a request acts as. */
export const Account = Type.Object(
  {
    id: id('acc', 'Id of the account'),
    organizationId: id('org', 'Organization of the account'),
    name: text('Name of the account', 'local'),
    email: Type.Optional(text('E-mail address to sign in with; absent until a password is set', 'ada@example.com')),
    createdAt: timestamp('When the account was created'),
    credential: Type.Object(
      {
        kind: oneOf(CREDENTIALS, { description: 'An API key, a program that you signed in, or a browser' }),
        id: id('key', 'Id of the key, the program or the sign-in'),
      },
      { $id: 'Credential', description: 'What this request was made with' },
    ),
  },
  { $id: 'Account', additionalProperties: false },
);
export type Account = Static<typeof Account>;

const KEY_FIELDS = {
  id: id('key', 'Id of the key'),
  name: text('The name that you gave it', 'ci'),
  createdAt: timestamp('When the key was created'),
  expiresAt: Type.Optional(timestamp('When the key stops working; absent: when it is revoked')),
  mintedBy: Type.Optional(id('key', 'The key, program or browser that created it; absent if the operator did')),
  lastUsedAt: Type.Optional(timestamp('When it was last used; may be up to a minute out of date')),
};

export const KeyRecord = Type.Object(KEY_FIELDS, {
  $id: 'Key',
  additionalProperties: false,
  description: 'An API key, without the key itself',
});
export type KeyRecord = Static<typeof KeyRecord>;

export const CreatedKey = Type.Object(
  {
    ...KEY_FIELDS,
    key: text('The key itself; no later answer contains it', 'rck_...'),
  },
  { $id: 'CreatedKey', additionalProperties: false },
);
export type CreatedKey = Static<typeof CreatedKey>;

/** The account's keys that are not revoked, newest first; expired ones are among them. */
export const KeyList = Type.Object(
  { keys: Type.Array(KeyRecord, { description: 'Newest first' }), ...NEXT },
  { $id: 'KeyList', additionalProperties: false },
);
export type KeyList = Static<typeof KeyList>;

/** A program that a user signed in with the device flow. */
export const TokenRecord = Type.Object(
  {
    id: id('tok', 'Id of the sign-in'),
    client: text('The name of the program', 'RunCloud command line'),
    deviceName: Type.Optional(text('The name that the program gives its machine', 'ada-laptop')),
    createdAt: timestamp('When it was signed in'),
    expiresAt: timestamp('The program must sign in again if it makes no call before this time'),
    lastUsedAt: Type.Optional(timestamp('When it last called the service')),
  },
  { $id: 'Token', additionalProperties: false, description: 'A program that you signed in' },
);
export type TokenRecord = Static<typeof TokenRecord>;

export const TokenList = Type.Object(
  { tokens: Type.Array(TokenRecord, { description: 'Newest first' }), ...NEXT },
  { $id: 'TokenList', additionalProperties: false },
);
export type TokenList = Static<typeof TokenList>;

/** The answer to a revocation, the first and every later one. */
export const Revoked = Type.Object(
  {
    id: id('key', 'Id of what was revoked'),
    revoked: Type.Literal(true, { description: 'It is revoked' }),
    minted: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With `minted=true`: the keys that it created and the programs that it signed in, which are revoked too',
        examples: [['key_7nT2vWc0pLxQe5RbYs8KdA']],
      }),
    ),
  },
  { $id: 'Revoked', additionalProperties: false },
);
export type Revoked = Static<typeof Revoked>;

/** Body of `POST /service/account/revocations`. */
export const RevokeAll = Type.Object(
  {
    newKey: Type.Optional(
      Type.String({ ...KeyName, description: 'Name of a key to create, so that you still have one' }),
    ),
  },
  { $id: 'RevokeAll', additionalProperties: false },
);
export type RevokeAll = Static<typeof RevokeAll>;

/** The number of revoked credentials of each kind. */
export const RevokedAll = Type.Object(
  {
    keys: whole('API keys that were revoked', 3),
    tokens: whole('Programs that were signed in', 1),
    signIns: whole('Browsers that were signed in', 2),
    viewerLinks: whole('Viewer links that were revoked', 0),
    newKey: Type.Optional(CreatedKey),
  },
  { $id: 'RevokedAll', additionalProperties: false },
);
export type RevokedAll = Static<typeof RevokedAll>;

const COUNTS = {
  sessions: whole('Sessions that were created', 12),
  sessionMinutes: Type.Number({ description: 'Minutes that these sessions have lasted so far', examples: [94.5] }),
  recordings: whole('Recordings that were started', 4),
};

/** The account's usage of the last days (UTC). */
export const Usage = Type.Object(
  {
    activeSessions: whole('Sessions that are active now', 2),
    total: Type.Object(COUNTS, { $id: 'UsageTotal', description: 'All of these days together' }),
    days: Type.Array(
      Type.Object({ date: text('The day (UTC), YYYY-MM-DD', '2026-05-17'), ...COUNTS }, { $id: 'UsageDay' }),
      { description: 'Every day, oldest first, today last' },
    ),
  },
  { $id: 'Usage', additionalProperties: false },
);
export type Usage = Static<typeof Usage>;

const checkAll = compileCheck(RevokeAll);

export function checkRevokeAll(body: unknown): Checked<RevokeAll> {
  const refused = checkAll(body);
  return refused ? { ok: false, fault: refused } : { ok: true, value: body as RevokeAll };
}
