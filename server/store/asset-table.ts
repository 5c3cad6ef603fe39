import { LIMITS } from '@runcloud/protocol/terms';
import type { Page, Span } from '../flow/page.ts';
import type { AssetContentRow, AssetRow, ListedAssetRow } from './asset-row.ts';
import type { Database } from './database.ts';
import { NUMBER, type Placed, SPAN, type SpanParameters, spanParameters, toPage } from './page-rows.ts';
import { type SqlRow, withoutNulls } from './row.ts';

type AssetRecord = Omit<SqlRow<AssetRow>, 'urlSchemes'> & { urlSchemes: string };
type ListedRecord = SqlRow<Omit<ListedAssetRow, 'urlSchemes'>> & { urlSchemes: string | null };
type ContentRecord = Omit<SqlRow<AssetContentRow>, 'urlSchemes'> & { urlSchemes: string };

const SUMMARY_COLUMNS = `asset.id, asset.account_id AS accountId, asset.checksum, asset.created_at_ms AS createdAtMs,
  byte_size AS byteSize, platform, identifier, name, version`;
// Their length stands in the head of the row: what is long is not even read.
const LISTED_SCHEMES = `CASE WHEN octet_length(url_schemes) <= ${LIMITS.listedSchemesBytes} THEN url_schemes END AS urlSchemes`;
const JOINED = 'asset JOIN asset_content ON asset_content.checksum = asset.checksum';

const fromRecord = (record: AssetRecord): AssetRow =>
  withoutNulls<AssetRow>({ ...record, urlSchemes: JSON.parse(record.urlSchemes) });

/** Uploaded apps and their content, which equal uploads share. Every look-up of an asset carries the account. */
export class AssetTable {
  readonly #insert;
  readonly #remove;
  readonly #get;
  readonly #list;
  readonly #identify;
  readonly #sizes;
  readonly #content;
  readonly #checksums;
  readonly #unstored;
  readonly #setObjectKey;

  constructor(database: Database) {
    const insertContent = database.prepare<[ContentRecord]>(
      `INSERT INTO asset_content
         (checksum, byte_size, platform, identifier, name, version, url_schemes, description, icon, object_key)
       VALUES (@checksum, @byteSize, @platform, @identifier, @name, @version, @urlSchemes, @description, @icon, @objectKey)
       ON CONFLICT (checksum) DO UPDATE SET object_key = excluded.object_key
       WHERE object_key IS NULL AND excluded.object_key IS NOT NULL`,
    );
    const insertAsset = database.prepare<[string, string, string, number]>(
      'INSERT INTO asset (id, account_id, checksum, created_at_ms) VALUES (?, ?, ?, ?)',
    );
    this.#insert = database.transaction((content: AssetContentRow, asset: NewAsset) => {
      insertContent.run({
        ...content,
        urlSchemes: JSON.stringify(content.urlSchemes),
        icon: content.icon ?? null,
        objectKey: content.objectKey ?? null,
      });
      insertAsset.run(asset.id, asset.accountId, content.checksum, asset.createdAtMs);
    });
    const checksumOf = database
      .prepare<[string, string], string>('SELECT checksum FROM asset WHERE account_id = ? AND id = ?')
      .pluck();
    const removeAsset = database.prepare<[string]>('DELETE FROM asset WHERE id = ?');
    const removeContent = database.prepare<[string, string]>(
      'DELETE FROM asset_content WHERE checksum = ? AND NOT EXISTS (SELECT 1 FROM asset WHERE checksum = ?)',
    );
    this.#remove = database.transaction((accountId: string, id: string): Removal => {
      const checksum = checksumOf.get(accountId, id);
      if (checksum === undefined) return { removed: false };
      removeAsset.run(id);
      const unused = removeContent.run(checksum, checksum).changes === 1;
      return { removed: true, ...(unused ? { unusedChecksum: checksum } : {}) };
    });
    this.#get = database.prepare<[string, string], AssetRecord>(
      `SELECT ${SUMMARY_COLUMNS}, url_schemes AS urlSchemes FROM ${JOINED} WHERE account_id = ? AND asset.id = ?`,
    );
    this.#list = database.prepare<[SpanParameters & { accountId: string }], ListedRecord & Placed>(
      `SELECT ${SUMMARY_COLUMNS}, ${LISTED_SCHEMES}, ${NUMBER('asset')} FROM ${JOINED}
       WHERE account_id = @accountId AND ${SPAN('asset')}`,
    );
    // These columns come before everything that can be long: no more of the row is read.
    this.#identify = database.prepare<[string, string], AssetIdentity>(
      `SELECT asset.checksum, platform, identifier FROM ${JOINED} WHERE account_id = ? AND asset.id = ?`,
    );
    this.#sizes = database.prepare<[], AssetSize>(
      `SELECT asset.account_id AS accountId, asset.checksum, byte_size AS byteSize FROM ${JOINED}`,
    );
    this.#content = database.prepare<[string], ContentRecord>(
      `SELECT checksum, byte_size AS byteSize, platform, identifier, name, version, url_schemes AS urlSchemes,
         description, icon, object_key AS objectKey
       FROM asset_content WHERE checksum = ?`,
    );
    this.#unstored = database.prepare<[], Pick<AssetContentRow, 'checksum' | 'byteSize'>>(
      'SELECT checksum, byte_size AS byteSize FROM asset_content WHERE object_key IS NULL',
    );
    this.#setObjectKey = database.prepare<[string, string]>(
      'UPDATE asset_content SET object_key = ? WHERE checksum = ? AND object_key IS NULL',
    );
    this.#checksums = database.prepare<[], string>('SELECT checksum FROM asset_content').pluck();
  }

  /** Keeps an asset, and its content unless it is there already. */
  insert(content: AssetContentRow, asset: NewAsset): void {
    this.#insert.immediate(content, asset);
  }

  /** Forgets an asset, and its content with the last asset that has it. */
  remove(accountId: string, id: string): Removal {
    return this.#remove.immediate(accountId, id);
  }

  get(accountId: string, id: string): AssetRow | undefined {
    const record = this.#get.get(accountId, id);
    return record && fromRecord(record);
  }

  /** The fields that identify an app, without the lists that it declares. */
  identify(accountId: string, id: string): AssetIdentity | undefined {
    return this.#identify.get(accountId, id);
  }

  /** The account's assets, newest first. */
  list(accountId: string, span: Span): Page<ListedAssetRow> {
    const rows = this.#list.all({ accountId, ...spanParameters(span) });
    return toPage(rows, span, ({ urlSchemes, ...row }) =>
      withoutNulls<ListedAssetRow>({ ...row, urlSchemes: urlSchemes === null ? null : JSON.parse(urlSchemes) }),
    );
  }

  /** Of every asset there is: whose it is, and how large. */
  sizes(): AssetSize[] {
    return this.#sizes.all();
  }

  content(checksum: string): AssetContentRow | undefined {
    const record = this.#content.get(checksum);
    return record && withoutNulls<AssetContentRow>({ ...record, urlSchemes: JSON.parse(record.urlSchemes) });
  }

  /** Contents that are in no object store. */
  unstored(): Pick<AssetContentRow, 'checksum' | 'byteSize'>[] {
    return this.#unstored.all();
  }

  /** Notes where a content is in the object store, unless it is there already. */
  setObjectKey(checksum: string, key: string): void {
    this.#setObjectKey.run(key, checksum);
  }

  /** Of every content that an asset has. */
  checksums(): string[] {
    return this.#checksums.all();
  }
}

export type AssetIdentity = Pick<AssetRow, 'checksum' | 'platform' | 'identifier'>;
export type AssetSize = Pick<AssetRow, 'accountId' | 'checksum' | 'byteSize'>;

export type NewAsset = Pick<AssetRow, 'id' | 'accountId' | 'createdAtMs'>;

export interface Removal {
  readonly removed: boolean;
  /** Of content that no asset has any more. */
  readonly unusedChecksum?: string;
}
