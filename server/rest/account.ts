import { LIMITS, ROUTES } from '@runcloud/protocol';
import type { CallTo } from './call.ts';
import { DashboardCookie } from './dashboard-cookie.ts';
import { answerList } from './listing.ts';
import { json } from './reply.ts';
import type { Services } from './services.ts';

/** Handlers of the account's routes. */

export function getAccount({ owner }: CallTo<'getAccount'>, { account }: Services) {
  return json(200, account.describe(owner));
}

/** Revokes the cookie and deletes it in the browser. Does nothing for another kind of credential. */
export function signOut({ head }: CallTo<'signOut'>, { account, ownOrigin }: Services) {
  const cookie = new DashboardCookie(ownOrigin());
  const secret = cookie.read(head);
  if (secret !== undefined) account.signIns.end(secret);
  return json(200, { signedOut: true } as const, { 'Set-Cookie': cookie.clear() });
}

export async function setPassword({ owner, body }: CallTo<'setPassword'>, { account }: Services) {
  await account.signIn.setPassword(owner, body);
  return json(200, account.describe(owner));
}

export function createKey({ owner, body }: CallTo<'createKey'>, { account }: Services) {
  return json(201, account.keys.create(owner, body));
}

export function listKeys(call: CallTo<'listKeys'>, { account, cursors }: Services) {
  const { owner } = call;
  return answerList('keys', ROUTES.listKeys, call, cursors, owner.accountId, (span) => account.keys.list(owner, span));
}

export function revokeKey({ owner, query, params }: CallTo<'revokeKey'>, { account }: Services) {
  const { keyId: id } = params;
  const withMinted = query.minted === 'true';
  const minted = account.keys.revoke(owner, id, withMinted);
  return json(200, { id, revoked: true, ...(withMinted ? { minted: [...minted] } : {}) } as const);
}

/** Gives the calling browser a new cookie of the same age, since its old one may have been stolen. */
export function revokeAll({ owner, body }: CallTo<'revokeAll'>, { account, ownOrigin }: Services) {
  const { accountId, signedInAtMs, expiresAtMs } = owner;
  const outcome = account.revokeAll.run(accountId, body.newKey);
  if (signedInAtMs === undefined || expiresAtMs === undefined) return json(200, outcome);
  const opened = account.signIns.replace({ accountId, signedInAtMs, expiresAtMs });
  return json(200, outcome, { 'Set-Cookie': new DashboardCookie(ownOrigin()).set(opened.secret, opened.lifeMs) });
}

export function listTokens(call: CallTo<'listTokens'>, { account, cursors }: Services) {
  const { owner } = call;
  return answerList('tokens', ROUTES.listTokens, call, cursors, owner.accountId, (span) =>
    account.tokens.list(owner, span),
  );
}

export function revokeToken({ owner, params: { tokenId: id } }: CallTo<'revokeToken'>, { account }: Services) {
  account.tokens.revoke(owner, id);
  return json(200, { id, revoked: true } as const);
}

export function usage({ owner, query }: CallTo<'usage'>, { account }: Services) {
  return json(200, account.usage(owner, query.days ?? LIMITS.usageDays.default));
}

export function readDeviceRequest({ owner, params }: CallTo<'readDeviceRequest'>, { account }: Services) {
  return json(200, account.devices.read(owner, params.userCode));
}

export function decideDeviceRequest({ owner, params, body }: CallTo<'decideDeviceRequest'>, { account }: Services) {
  const approved = body.decision === 'approve';
  return json(200, { userCode: account.devices.decide(owner, params.userCode, approved), approved });
}
