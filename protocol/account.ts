import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './acknowledgement.ts';
import { compileCheck, oneOf } from './compile-check.ts';
import { KeyName } from './create-key.ts';
import type { Checked } from './fault.ts';
import { NEXT } from './listing.ts';

/** Accounts, their API keys and their usage, as clients send and see them. Sign-in is in `sign-in.ts`. */

const CREDENTIALS = ['key', 'token', 'dashboard'] as const;
export type CredentialKind = (typeof CREDENTIALS)[number];

/** The account that a request acts as. */
export const Account = Type.Object(
  {
    id: Type.String(),
    organizationId: Type.String(),
    name: Type.String(),
    email: Type.Optional(Type.String({ description: 'Absent until a password is set' })),
    createdAt: Timestamp,
    credential: Type.Object({ kind: oneOf(CREDENTIALS), id: Type.String() }),
  },
  { $id: 'Account', additionalProperties: false },
);
export type Account = Static<typeof Account>;

const KEY_FIELDS = {
  id: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
  expiresAt: Type.Optional(Timestamp),
  mintedBy: Type.Optional(
    Type.String({ description: 'The key, program or browser that created it; absent if the operator did' }),
  ),
  lastUsedAt: Type.Optional(Type.String({ description: 'May be up to a minute out of date' })),
};

export const KeyRecord = Type.Object(KEY_FIELDS, { $id: 'Key', additionalProperties: false });
export type KeyRecord = Static<typeof KeyRecord>;

const CREATED_KEY_FIELDS = {
  ...KEY_FIELDS,
  key: Type.String({ description: 'The key itself; no later answer contains it' }),
};
export const CreatedKey = Type.Object(CREATED_KEY_FIELDS, { $id: 'CreatedKey', additionalProperties: false });
export type CreatedKey = Static<typeof CreatedKey>;

/** The account's keys that are not revoked, newest first; expired ones are among them. */
export const KeyList = Type.Object(
  { keys: Type.Array(Type.Object(KEY_FIELDS, { additionalProperties: false })), ...NEXT },
  { $id: 'KeyList', additionalProperties: false },
);
export type KeyList = Static<typeof KeyList>;

/** A program that a user signed in with the device flow. */
const TOKEN_FIELDS = {
  id: Type.String(),
  client: Type.String({ description: 'The name of the program' }),
  deviceName: Type.Optional(Type.String({ description: 'The name that the program gives its machine' })),
  createdAt: Timestamp,
  expiresAt: Type.String({ description: 'The program must sign in again if it makes no call before this time' }),
  lastUsedAt: Type.Optional(Timestamp),
};
export const TokenRecord = Type.Object(TOKEN_FIELDS, { $id: 'Token', additionalProperties: false });
export type TokenRecord = Static<typeof TokenRecord>;

export const TokenList = Type.Object(
  { tokens: Type.Array(Type.Object(TOKEN_FIELDS, { additionalProperties: false })), ...NEXT },
  { $id: 'TokenList', additionalProperties: false },
);
export type TokenList = Static<typeof TokenList>;

/** The answer to a revocation, the first and every later one. */
export const Revoked = Type.Object(
  {
    id: Type.String(),
    revoked: Type.Literal(true),
    minted: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'With minted=true: the keys that it created and the programs that it signed in, which are revoked too',
      }),
    ),
  },
  { $id: 'Revoked', additionalProperties: false },
);
export type Revoked = Static<typeof Revoked>;

/** Body of `POST /service/account/revocations`. */
export const RevokeAll = Type.Object(
  { newKey: Type.Optional(KeyName) },
  { $id: 'RevokeAll', additionalProperties: false },
);
export type RevokeAll = Static<typeof RevokeAll>;

/** The number of revoked credentials of each kind. */
export const RevokedAll = Type.Object(
  {
    keys: Type.Integer(),
    tokens: Type.Integer({ description: 'Programs that were signed in' }),
    signIns: Type.Integer({ description: 'Browsers that were signed in' }),
    viewerLinks: Type.Integer(),
    newKey: Type.Optional(Type.Object(CREATED_KEY_FIELDS, { additionalProperties: false })),
  },
  { $id: 'RevokedAll', additionalProperties: false },
);
export type RevokedAll = Static<typeof RevokedAll>;

const COUNTS = {
  sessions: Type.Integer({ description: 'Sessions that were created' }),
  sessionMinutes: Type.Number({ description: 'Minutes that these sessions have lasted so far' }),
  recordings: Type.Integer({ description: 'Recordings that were started' }),
};

/** The account's usage of the last days (UTC). */
export const Usage = Type.Object(
  {
    activeSessions: Type.Integer(),
    total: Type.Object(COUNTS),
    days: Type.Array(Type.Object({ date: Type.String({ description: 'YYYY-MM-DD' }), ...COUNTS }), {
      description: 'Every day, oldest first, today last',
    }),
  },
  { $id: 'Usage', additionalProperties: false },
);
export type Usage = Static<typeof Usage>;

const checkAll = compileCheck(RevokeAll);

export function checkRevokeAll(body: unknown): Checked<RevokeAll> {
  const refused = checkAll(body);
  return refused ? { ok: false, fault: refused } : { ok: true, value: body as RevokeAll };
}
