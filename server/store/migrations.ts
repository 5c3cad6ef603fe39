import type { Database } from './database.ts';

/**
 * The shape of the database, grown step by step: entry n takes a database from `user_version` n to n + 1. A step that
 * has shipped is never edited; a change is a new entry at the end.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE account (
    id              TEXT PRIMARY KEY NOT NULL,
    organization_id TEXT NOT NULL UNIQUE,
    name            TEXT NOT NULL UNIQUE COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 64),
    created_at_ms   INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE api_key (
    id              TEXT PRIMARY KEY NOT NULL,
    account_id      TEXT NOT NULL REFERENCES account (id),
    name            TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
    digest          TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
    revision        INTEGER NOT NULL UNIQUE,
    created_at_ms   INTEGER NOT NULL,
    revoked_at_ms   INTEGER,
    last_used_at_ms INTEGER
  ) STRICT;
  CREATE INDEX api_key_by_account ON api_key (account_id);

  CREATE TABLE secret (
    purpose       TEXT PRIMARY KEY NOT NULL CHECK (length(purpose) > 0),
    value         BLOB NOT NULL CHECK (length(value) >= 32),
    created_at_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE session (
    id                    TEXT PRIMARY KEY NOT NULL,
    account_id            TEXT NOT NULL REFERENCES account (id),
    organization_id       TEXT NOT NULL,
    platform              TEXT NOT NULL CHECK (platform IN ('ios', 'android')),
    status                TEXT NOT NULL
      CHECK (status IN ('starting', 'active', 'releasing', 'released', 'expired', 'failed')),
    device_id             TEXT NOT NULL,
    lease_id              TEXT NOT NULL,
    device                TEXT NOT NULL CHECK (json_type(device) = 'object'),
    orientation           TEXT NOT NULL
      CHECK (orientation IN ('portrait', 'portrait_upside_down', 'landscape_left', 'landscape_right')),
    created_at_ms         INTEGER NOT NULL,
    expires_at_ms         INTEGER NOT NULL,
    inactivity_timeout_ms INTEGER NOT NULL CHECK (inactivity_timeout_ms > 0),
    hard_timeout_ms       INTEGER NOT NULL CHECK (hard_timeout_ms > 0),
    install_assets        TEXT NOT NULL CHECK (json_type(install_assets) = 'array'),
    embed_origins         TEXT NOT NULL CHECK (json_type(embed_origins) = 'array'),
    labels                TEXT NOT NULL CHECK (json_type(labels) = 'object'),
    idempotency_key       TEXT,
    request_digest        TEXT,
    released_at_ms        INTEGER,
    release_reason        TEXT,
    UNIQUE (account_id, idempotency_key)
  ) STRICT;
  CREATE INDEX session_newest ON session (account_id, created_at_ms DESC);
  CREATE INDEX session_unfinished ON session (status) WHERE status IN ('starting', 'active', 'releasing');
  `,
  `
  CREATE TABLE viewer_link (
    id            TEXT PRIMARY KEY NOT NULL,
    session_id    TEXT NOT NULL REFERENCES session (id),
    role          TEXT NOT NULL CHECK (role IN ('control', 'view')),
    embed_origin  TEXT,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    revoked_at_ms INTEGER
  ) STRICT;
  CREATE INDEX viewer_link_newest ON viewer_link (session_id, created_at_ms DESC);
  `,
  `
  CREATE TABLE asset_content (
    checksum    TEXT PRIMARY KEY NOT NULL CHECK (length(checksum) = 64),
    byte_size   INTEGER NOT NULL CHECK (byte_size > 0),
    platform    TEXT NOT NULL CHECK (platform IN ('ios', 'android')),
    identifier  TEXT NOT NULL CHECK (length(identifier) > 0),
    name        TEXT NOT NULL CHECK (length(name) > 0),
    version     TEXT NOT NULL,
    url_schemes TEXT NOT NULL CHECK (json_type(url_schemes) = 'array'),
    description TEXT NOT NULL CHECK (json_type(description) = 'object'),
    icon        BLOB
  ) STRICT;

  CREATE TABLE asset (
    id            TEXT PRIMARY KEY NOT NULL,
    account_id    TEXT NOT NULL REFERENCES account (id),
    checksum      TEXT NOT NULL REFERENCES asset_content (checksum),
    created_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX asset_newest ON asset (account_id, created_at_ms DESC);
  CREATE INDEX asset_by_content ON asset (checksum);
  `,
];

/** The database was written by a newer build than this one, which must not touch it. */
export class NewerDatabaseError extends Error {
  override readonly name = 'NewerDatabaseError';
}

function versionOf(database: Database): number {
  return Number(database.pragma('user_version', { simple: true }));
}

/**
 * Brings the database to the newest of `migrations`, each step in a transaction of its own, so that a kill between two
 * steps leaves a whole version behind. Throws `NewerDatabaseError` and changes nothing when it is already past them.
 */
export function migrate(database: Database, migrations: readonly string[] = MIGRATIONS): void {
  const step = database.transaction(() => {
    // Read under the write lock: another process may have taken this step while this one waited for it.
    const version = versionOf(database);
    const sql = migrations[version];
    if (sql === undefined) return;
    database.exec(sql);
    database.pragma(`user_version = ${version + 1}`);
  });
  while (versionOf(database) < migrations.length) step.immediate();
  const version = versionOf(database);
  if (version > migrations.length) {
    throw new NewerDatabaseError(
      `The database ${database.name} has version ${version}, this build knows versions up to ${migrations.length}: ` +
        'run the newer RunCloud that wrote it, or use another data directory',
    );
  }
}
