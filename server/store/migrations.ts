import type { Database } from './sqlite.ts';

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
  CREATE TABLE recording (
    id                      TEXT PRIMARY KEY NOT NULL,
    session_id              TEXT NOT NULL REFERENCES session (id),
    account_id              TEXT NOT NULL REFERENCES account (id),
    organization_id         TEXT NOT NULL,
    platform                TEXT NOT NULL CHECK (platform IN ('ios', 'android')),
    status                  TEXT NOT NULL
      CHECK (status IN ('starting', 'recording', 'finalizing', 'ready', 'failed', 'deleting', 'deleted')),
    idempotency_key         TEXT CHECK (length(idempotency_key) BETWEEN 1 AND 200),
    created_at_ms           INTEGER NOT NULL,
    retention_expires_at_ms INTEGER NOT NULL,
    started_at_ms           INTEGER,
    stopped_at_ms           INTEGER,
    ready_at_ms             INTEGER,
    deleted_at_ms           INTEGER,
    byte_size               INTEGER CHECK (byte_size > 0),
    sha256                  TEXT CHECK (length(sha256) = 64),
    duration_ms             INTEGER CHECK (duration_ms >= 0),
    failure                 TEXT CHECK (json_type(failure) = 'object'),
    next_attempt_at_ms      INTEGER,
    tries                   INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
    recoveries              INTEGER NOT NULL DEFAULT 0 CHECK (recoveries >= 0),
    UNIQUE (session_id, idempotency_key),
    CHECK (status <> 'ready' OR (byte_size IS NOT NULL AND sha256 IS NOT NULL AND duration_ms IS NOT NULL AND
      started_at_ms IS NOT NULL AND stopped_at_ms IS NOT NULL AND ready_at_ms IS NOT NULL)),
    CHECK (status <> 'failed' OR failure IS NOT NULL),
    CHECK (status = 'failed' OR next_attempt_at_ms IS NULL),
    CHECK ((status = 'deleted') = (deleted_at_ms IS NOT NULL))
  ) STRICT;
  CREATE INDEX recording_newest ON recording (session_id, created_at_ms DESC);
  CREATE INDEX recording_unsettled ON recording (status)
    WHERE status IN ('starting', 'recording', 'finalizing', 'deleting') OR next_attempt_at_ms IS NOT NULL;
  CREATE INDEX recording_due ON recording (retention_expires_at_ms) WHERE status IN ('ready', 'failed');
  CREATE INDEX recording_gone ON recording (deleted_at_ms) WHERE status = 'deleted';
  -- A later try of an old finalization needs no device: it may run beside the session's next recording.
  CREATE UNIQUE INDEX recording_active ON recording (session_id)
    WHERE status IN ('starting', 'recording', 'finalizing') AND tries <= 1;

  CREATE TRIGGER recording_begins BEFORE INSERT ON recording WHEN NEW.status <> 'starting'
  BEGIN SELECT raise(ABORT, 'a recording begins as starting'); END;
  CREATE TRIGGER recording_moves BEFORE UPDATE OF status ON recording
  WHEN NEW.status <> OLD.status AND NOT (OLD.status || ' ' || NEW.status IN (
      'starting recording', 'starting failed', 'recording finalizing', 'recording failed', 'finalizing ready',
      'finalizing failed', 'ready deleting', 'failed deleting', 'deleting deleted')
    OR (OLD.status = 'failed' AND NEW.status = 'finalizing' AND OLD.next_attempt_at_ms IS NOT NULL))
  BEGIN SELECT raise(ABORT, 'a recording cannot move this way'); END;
  CREATE TRIGGER recording_goes BEFORE DELETE ON recording WHEN OLD.status <> 'deleted'
  BEGIN SELECT raise(ABORT, 'only the record of a deleted recording goes'); END;

  CREATE TABLE recording_event (
    recording_id TEXT NOT NULL REFERENCES recording (id) ON DELETE CASCADE,
    position     INTEGER NOT NULL CHECK (position > 0),
    id           TEXT NOT NULL UNIQUE,
    type         TEXT NOT NULL
      CHECK (type IN ('created', 'capture_started', 'stop_requested', 'capture_stopped', 'container_verified', 'stored',
        'ready', 'failed', 'retry_scheduled', 'recovered', 'retention_started', 'deleted')),
    at_ms        INTEGER NOT NULL,
    status       TEXT NOT NULL,
    detail       TEXT,
    PRIMARY KEY (recording_id, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE retention_clock (
    id         INTEGER PRIMARY KEY NOT NULL CHECK (id = 1),
    seen_at_ms INTEGER NOT NULL
  ) STRICT;
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
  `
  ALTER TABLE api_key ADD COLUMN expires_at_ms INTEGER;

  CREATE TABLE password (
    account_id    TEXT PRIMARY KEY NOT NULL REFERENCES account (id),
    email         TEXT NOT NULL UNIQUE COLLATE NOCASE,
    hash          TEXT NOT NULL,
    changed_at_ms INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE one_time_link (
    digest        TEXT PRIMARY KEY NOT NULL CHECK (length(digest) = 64),
    purpose       TEXT NOT NULL CHECK (purpose IN ('invitation', 'sign-in')),
    account_id    TEXT REFERENCES account (id),
    email         TEXT COLLATE NOCASE,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    CHECK (CASE purpose WHEN 'invitation' THEN email IS NOT NULL ELSE account_id IS NOT NULL END)
  ) STRICT;

  CREATE TABLE dashboard_sign_in (
    id            TEXT PRIMARY KEY NOT NULL,
    account_id    TEXT NOT NULL REFERENCES account (id),
    digest        TEXT NOT NULL UNIQUE CHECK (length(digest) = 64),
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX dashboard_sign_in_by_account ON dashboard_sign_in (account_id);

  CREATE TABLE device_authorization (
    digest           TEXT PRIMARY KEY NOT NULL CHECK (length(digest) = 64),
    user_code_digest TEXT NOT NULL UNIQUE CHECK (length(user_code_digest) = 64),
    client_id        TEXT NOT NULL,
    device_name      TEXT,
    address          TEXT NOT NULL,
    status           TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'denied')),
    account_id       TEXT REFERENCES account (id),
    interval_ms      INTEGER NOT NULL,
    polled_at_ms     INTEGER,
    created_at_ms    INTEGER NOT NULL,
    expires_at_ms    INTEGER NOT NULL,
    CHECK ((status = 'approved') = (account_id IS NOT NULL))
  ) STRICT;

  CREATE TABLE token_grant (
    id              TEXT PRIMARY KEY NOT NULL,
    account_id      TEXT NOT NULL REFERENCES account (id),
    client_id       TEXT NOT NULL,
    device_name     TEXT,
    created_at_ms   INTEGER NOT NULL,
    expires_at_ms   INTEGER NOT NULL,
    last_used_at_ms INTEGER,
    revoked_at_ms   INTEGER
  ) STRICT;
  CREATE INDEX token_grant_newest ON token_grant (account_id, created_at_ms DESC);

  CREATE TABLE token (
    digest        TEXT PRIMARY KEY NOT NULL CHECK (length(digest) = 64),
    grant_id      TEXT NOT NULL REFERENCES token_grant (id),
    kind          TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
    expires_at_ms INTEGER NOT NULL,
    used_at_ms    INTEGER
  ) STRICT;
  CREATE INDEX token_by_grant ON token (grant_id);
  `,
  `
  ALTER TABLE device_authorization ADD COLUMN holder TEXT NOT NULL DEFAULT '';
  CREATE INDEX device_authorization_by_holder ON device_authorization (holder, status);
  `,
  `
  -- A page of a list is a range of one of these, read backwards: that is newest first, and of the same millisecond the
  -- last one first.
  DROP INDEX session_newest;
  CREATE INDEX session_listed ON session (account_id, created_at_ms);
  CREATE INDEX session_listed_by_platform ON session (account_id, platform, created_at_ms);
  CREATE INDEX session_listed_by_status ON session (account_id, status, created_at_ms);
  CREATE INDEX session_listed_by_both ON session (account_id, platform, status, created_at_ms);
  DROP INDEX recording_newest;
  CREATE INDEX recording_listed ON recording (session_id, created_at_ms) WHERE status <> 'deleted';
  DROP INDEX asset_newest;
  CREATE INDEX asset_listed ON asset (account_id, created_at_ms);
  DROP INDEX api_key_by_account;
  CREATE INDEX api_key_by_account ON api_key (account_id, created_at_ms);
  CREATE INDEX api_key_listed ON api_key (account_id, created_at_ms) WHERE revoked_at_ms IS NULL;
  DROP INDEX token_grant_newest;
  CREATE INDEX token_grant_listed ON token_grant (account_id, created_at_ms) WHERE revoked_at_ms IS NULL;
  DROP INDEX viewer_link_newest;
  CREATE INDEX viewer_link_by_session ON viewer_link (session_id, created_at_ms);
  CREATE INDEX viewer_link_listed ON viewer_link (session_id, created_at_ms) WHERE revoked_at_ms IS NULL;
  `,
  `
  -- What has ended is found by its end, to be forgotten.
  CREATE INDEX session_ended ON session (released_at_ms) WHERE status IN ('released', 'expired', 'failed');
  -- What the operator gave and took back must never come back: it is not forgotten.
  ALTER TABLE api_key ADD COLUMN given INTEGER NOT NULL DEFAULT 0 CHECK (given IN (0, 1));
  UPDATE api_key SET given = 1 WHERE name = 'given';
  CREATE INDEX api_key_revoked ON api_key (revoked_at_ms) WHERE revoked_at_ms IS NOT NULL AND given = 0;
  CREATE INDEX api_key_expired ON api_key (expires_at_ms) WHERE revoked_at_ms IS NULL AND given = 0;
  CREATE INDEX token_grant_revoked ON token_grant (revoked_at_ms) WHERE revoked_at_ms IS NOT NULL;
  CREATE INDEX token_grant_expired ON token_grant (expires_at_ms) WHERE revoked_at_ms IS NULL;
  CREATE INDEX token_expired ON token (expires_at_ms);
  CREATE INDEX one_time_link_expired ON one_time_link (expires_at_ms);
  CREATE INDEX one_time_link_by_email ON one_time_link (email);
  CREATE INDEX dashboard_sign_in_expired ON dashboard_sign_in (expires_at_ms);
  CREATE INDEX device_authorization_expired ON device_authorization (expires_at_ms);

  -- Usage outlives what was used, and is counted when it happens: looking at it costs the same after a million sessions.
  CREATE TABLE usage_day (
    account_id TEXT NOT NULL REFERENCES account (id),
    ends_at_ms INTEGER NOT NULL,
    sessions   INTEGER NOT NULL DEFAULT 0,
    session_ms INTEGER NOT NULL DEFAULT 0,
    recordings INTEGER NOT NULL DEFAULT 0,
    UNIQUE (account_id, ends_at_ms)
  ) STRICT;
  CREATE INDEX usage_day_over ON usage_day (ends_at_ms);
  INSERT INTO usage_day (account_id, ends_at_ms, sessions, session_ms)
    SELECT account_id, (created_at_ms / 86400000 + 1) * 86400000, count(*),
      coalesce(sum(max(0, released_at_ms - created_at_ms)), 0)
    FROM session GROUP BY 1, 2;
  INSERT INTO usage_day (account_id, ends_at_ms, recordings)
    SELECT account_id, (created_at_ms / 86400000 + 1) * 86400000, count(*) FROM recording WHERE true GROUP BY 1, 2
    ON CONFLICT DO UPDATE SET recordings = excluded.recordings;
  CREATE TRIGGER usage_session_begins AFTER INSERT ON session
  BEGIN
    INSERT INTO usage_day (account_id, ends_at_ms, sessions, session_ms)
      VALUES (NEW.account_id, (NEW.created_at_ms / 86400000 + 1) * 86400000, 1,
        coalesce(max(0, NEW.released_at_ms - NEW.created_at_ms), 0))
      ON CONFLICT DO UPDATE SET sessions = sessions + 1, session_ms = session_ms + excluded.session_ms;
  END;
  CREATE TRIGGER usage_session_ends AFTER UPDATE OF released_at_ms ON session
  WHEN OLD.released_at_ms IS NULL AND NEW.released_at_ms IS NOT NULL
  BEGIN
    UPDATE usage_day SET session_ms = session_ms + max(0, NEW.released_at_ms - NEW.created_at_ms)
      WHERE account_id = NEW.account_id AND ends_at_ms = (NEW.created_at_ms / 86400000 + 1) * 86400000;
  END;
  CREATE TRIGGER usage_recording_begins AFTER INSERT ON recording
  BEGIN
    INSERT INTO usage_day (account_id, ends_at_ms, recordings)
      VALUES (NEW.account_id, (NEW.created_at_ms / 86400000 + 1) * 86400000, 1)
      ON CONFLICT DO UPDATE SET recordings = recordings + 1;
  END;
  `,
  `
  -- What is signed for an account is signed for its epoch: the next one begins when everything is revoked.
  ALTER TABLE account ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
  `,
  `
  ALTER TABLE api_key ADD COLUMN minted_by TEXT;
  CREATE INDEX api_key_by_minter ON api_key (minted_by) WHERE minted_by IS NOT NULL;
  `,
  `
  -- What came of a credential that works once, so that it can be made void when the credential is presented again.
  ALTER TABLE token ADD COLUMN made_with TEXT;
  CREATE INDEX token_by_maker ON token (made_with) WHERE made_with IS NOT NULL;
  ALTER TABLE device_authorization ADD COLUMN decided_by TEXT;
  ALTER TABLE device_authorization ADD COLUMN grant_id TEXT;
  ALTER TABLE one_time_link ADD COLUMN taken_at_ms INTEGER;
  ALTER TABLE one_time_link ADD COLUMN opened TEXT;
  ALTER TABLE dashboard_sign_in ADD COLUMN used_at_ms INTEGER;
  `,
  `
  ALTER TABLE token_grant ADD COLUMN minted_by TEXT;
  CREATE INDEX token_grant_by_minter ON token_grant (minted_by) WHERE minted_by IS NOT NULL;
  `,
  `
  -- Of recordings whose object is in an object store.
  ALTER TABLE recording ADD COLUMN object_key TEXT;
  `,
  `
  CREATE TABLE snapshot (
    id            TEXT PRIMARY KEY NOT NULL,
    account_id    TEXT NOT NULL REFERENCES account (id),
    name          TEXT NOT NULL,
    platform      TEXT NOT NULL,
    model         TEXT NOT NULL,
    driver        TEXT NOT NULL,
    session_id    TEXT NOT NULL,
    byte_size     INTEGER NOT NULL,
    checksum      TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    UNIQUE (account_id, name)
  ) STRICT;
  CREATE INDEX snapshot_listed ON snapshot (account_id, created_at_ms);
  `,
  `
  -- The device that alone can begin with it, by its name on the host.
  ALTER TABLE snapshot ADD COLUMN only_on TEXT;
  `,
  `
  ALTER TABLE asset_content ADD COLUMN object_key TEXT;
  `,
  `
  CREATE TABLE fleet_host (
    name          TEXT PRIMARY KEY NOT NULL CHECK (length(name) BETWEEN 1 AND 32),
    added_at_ms   INTEGER NOT NULL,
    draining      INTEGER NOT NULL DEFAULT 0 CHECK (draining IN (0, 1)),
    removed_at_ms INTEGER
  ) STRICT;
  `,
  `
  CREATE TABLE replica_of (
    database TEXT PRIMARY KEY NOT NULL
  ) STRICT;
  `,
  `
  -- Of a host: the sessions and recordings that its edges have to be told of, in the order of their last changes.
  CREATE TABLE outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    kind     TEXT NOT NULL CHECK (kind IN ('session', 'recording')),
    id       TEXT NOT NULL,
    UNIQUE (kind, id)
  ) STRICT;

  -- Of an edge: what the hosts have told, and how far each has got. The place is a host's mark in the ids that it makes.
  CREATE TABLE host_session (
    id            TEXT PRIMARY KEY NOT NULL,
    place         TEXT NOT NULL,
    account_id    TEXT NOT NULL,
    platform      TEXT NOT NULL,
    status        TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    ended_at_ms   INTEGER,
    content       TEXT NOT NULL CHECK (json_type(content) = 'object')
  ) STRICT;
  CREATE INDEX host_session_listed ON host_session (account_id, place, created_at_ms) WHERE ended_at_ms IS NOT NULL;
  CREATE INDEX host_session_listed_by_platform ON host_session (account_id, place, platform, created_at_ms)
    WHERE ended_at_ms IS NOT NULL;
  CREATE INDEX host_session_listed_by_status ON host_session (account_id, place, status, created_at_ms)
    WHERE ended_at_ms IS NOT NULL;
  CREATE INDEX host_session_listed_by_both ON host_session (account_id, place, platform, status, created_at_ms)
    WHERE ended_at_ms IS NOT NULL;
  CREATE INDEX host_session_ended ON host_session (ended_at_ms) WHERE ended_at_ms IS NOT NULL;
  CREATE TABLE host_recording (
    id                      TEXT PRIMARY KEY NOT NULL,
    session_id              TEXT NOT NULL,
    created_at_ms           INTEGER NOT NULL,
    retention_expires_at_ms INTEGER NOT NULL,
    content                 TEXT NOT NULL CHECK (json_type(content) = 'object')
  ) STRICT;
  CREATE INDEX host_recording_listed ON host_recording (session_id, created_at_ms);
  CREATE INDEX host_recording_due ON host_recording (retention_expires_at_ms);
  CREATE TABLE host_report (
    place    TEXT PRIMARY KEY NOT NULL,
    position INTEGER NOT NULL
  ) STRICT;
  `,
  `
  -- Of a host: a session's history in an object store, as JSON; 'null' once it is deleted there.
  ALTER TABLE session ADD COLUMN history TEXT;
  CREATE INDEX session_history_to_store ON session (released_at_ms)
    WHERE status IN ('released', 'expired', 'failed') AND history IS NULL;
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
