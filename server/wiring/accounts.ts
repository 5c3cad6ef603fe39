import { AccountServices } from '../account/account-services.ts';
import { Accounts } from '../account/accounts.ts';
import { Authenticator } from '../account/authenticator.ts';
import { CredentialWatch } from '../account/credential-watch.ts';
import { KNOWN_BROWSER_PURPOSE } from '../account/known-browsers.ts';
import { ViewerLinks } from '../account/viewer-links.ts';
import { VIEWER_TOKEN_PURPOSE, ViewerTokens } from '../account/viewer-tokens.ts';
import { signingPurposes } from '../signing-purposes.ts';
import type { Foundation } from './foundation.ts';

export type AccountBlock = ReturnType<typeof openAccounts>;

/** Opens accounts and their credentials: keys, grants, sign-ins, viewer tokens and viewer links. */
export function openAccounts({ store, clock, logger, signals, publicUrl, own, onFault }: Foundation) {
  const accounts = new Accounts(store, clock);
  const authenticator = new Authenticator({ store, clock, onError: onFault });
  own(() => authenticator.close());
  const onRevoked = (holder: string) => void signals.emit('credentialRevoked', holder);
  authenticator.onRevoked(onRevoked);
  const watch = new CredentialWatch({
    store,
    clock,
    purposes: signingPurposes,
    onRotated: (purpose) => {
      logger.warn({ purpose }, 'a signing secret was changed');
      if (purpose === VIEWER_TOKEN_PURPOSE) signals.emit('tokensRevoked');
    },
    onNewEpoch: (accountId) => {
      logger.warn({ accountId }, 'everything that opened the account was revoked');
      signals.emit('accountRevoked', accountId);
    },
    onError: onFault,
  });
  own(() => watch.close());
  signals.on('sharedRowsChanged', (tables) => {
    if (tables.has('account') || tables.has('secret')) watch.look();
  });
  const services = new AccountServices({
    store,
    clock,
    accounts,
    authenticator,
    browserSecret: watch.secretOf(KNOWN_BROWSER_PURPOSE),
    onAllRevoked: () => watch.look(),
    onRevoked,
  });
  const tokens = new ViewerTokens(watch.secretOf(VIEWER_TOKEN_PURPOSE), clock, watch.epochOf);
  const viewerUrl = (sessionId: string, token: string) => `${publicUrl()}/view/${sessionId}?token=${token}`;
  const viewerLinks = new ViewerLinks({
    store: store.viewerLinks,
    tokens,
    clock,
    viewerUrl,
    onRevoked: (linkId) => void signals.emit('linkRevoked', linkId),
  });
  return {
    accounts,
    services,
    tokens,
    viewerUrl,
    viewerLinks,
    secretOf: watch.secretOf.bind(watch),
    epochOf: watch.epochOf,
    /** Brings an account up to an epoch that an edge tells: what opened it before is invalid. */
    reachEpoch: (accountId: string, epoch: number) => {
      if (watch.epochOf(accountId) >= epoch) return;
      store.accounts.reachEpoch(accountId, epoch);
      watch.look();
    },
  };
}
