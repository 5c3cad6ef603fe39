import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './acknowledgement.ts';
import { compileCheck, oneOf } from './compile-check.ts';
import { KeyName } from './create-key.ts';
import type { Checked } from './fault.ts';
import { NEXT } from './listing.ts';

/** Accounts, their API keys, and what they used: what clients send and see. Signing in is in `sign-in.ts`. */

const CREDENTIALS = ['key', 'token', 'dashboard'] as const;
export type CredentialKind = (typeof CREDENTIALS)[number];

/** The account that a request acts as. */
export const Account = Type.Object(
  {
    id: Type.String(),
    organizationId: Type.String(),
    name: Type.String(),
    email: Type.Optional(Type.String({ description: 'Absent until somebody has chosen a password' })),
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
    Type.String({ description: 'The key, program or browser that it was made with; absent for one of the operator' }),
  ),
  lastUsedAt: Type.Optional(Type.String({ description: 'Behind the truth by up to a minute' })),
};

export const KeyRecord = Type.Object(KEY_FIELDS, { $id: 'Key', additionalProperties: false });
export type KeyRecord = Static<typeof KeyRecord>;

const CREATED_KEY_FIELDS = { ...KEY_FIELDS, key: Type.String({ description: 'The key itself, shown this once' }) };
export const CreatedKey = Type.Object(CREATED_KEY_FIELDS, { $id: 'CreatedKey', additionalProperties: false });
export type CreatedKey = Static<typeof CreatedKey>;

/** The account's keys that are not revoked, newest first; expired ones are among them. */
export const KeyList = Type.Object(
  { keys: Type.Array(Type.Object(KEY_FIELDS, { additionalProperties: false })), ...NEXT },
  { $id: 'KeyList', additionalProperties: false },
);
export type KeyList = Static<typeof KeyList>;

/** A program that somebody let in by the device flow. */
const TOKEN_FIELDS = {
  id: Type.String(),
  client: Type.String({ description: 'The name of the program' }),
  deviceName: Type.Optional(Type.String({ description: 'What the program says of the machine that it runs on' })),
  createdAt: Timestamp,
  expiresAt: Type.String({ description: 'It has to sign in again when it has not been used until then' }),
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
          'With minted=true: the keys that were made and the programs that were let in with it, revoked as well',
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

/** How many of each were revoked. */
export const RevokedAll = Type.Object(
  {
    keys: Type.Integer(),
    tokens: Type.Integer({ description: 'Programs that were let in' }),
    signIns: Type.Integer({ description: 'Browsers that were signed in' }),
    viewerLinks: Type.Integer(),
    newKey: Type.Optional(Type.Object(CREATED_KEY_FIELDS, { additionalProperties: false })),
  },
  { $id: 'RevokedAll', additionalProperties: false },
);
export type RevokedAll = Static<typeof RevokedAll>;

const COUNTS = {
  sessions: Type.Integer({ description: 'Sessions that began' }),
  sessionMinutes: Type.Number({ description: 'Minutes that those sessions lasted, so far' }),
  recordings: Type.Integer({ description: 'Recordings that began' }),
};

/** What the account used in the last days (UTC). */
export const Usage = Type.Object(
  {
    activeSessions: Type.Integer(),
    total: Type.Object(COUNTS),
    days: Type.Array(Type.Object({ date: Type.String({ description: 'YYYY-MM-DD' }), ...COUNTS }), {
      description: 'Oldest first, today last, none left out',
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
