import type { SessionRecord } from '@runcloud/protocol';
import { LOCAL_ACCOUNT } from '../../server/account/accounts.ts';
import { VIEWER_TOKEN_PURPOSE, type ViewerClaims, ViewerTokens } from '../../server/account/viewer-tokens.ts';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';

/** A token as the server signs it for the account `local`, with claims of the test's choice. */
export function viewerToken(dataDir: string, { id }: SessionRecord, claims: Partial<ViewerClaims> = {}): string {
  const store = new Store(databasePath(dataDir));
  try {
    const tokens = new ViewerTokens(() => store.secrets.get(VIEWER_TOKEN_PURPOSE), systemClock);
    const accountId = store.accounts.byName(LOCAL_ACCOUNT)?.id ?? '';
    return tokens.sign({ sessionId: id, accountId, role: 'control', expiresAtMs: Date.now() + 60_000, ...claims });
  } finally {
    store.close();
  }
}
