import {
  checkCreateKey,
  checkDecision,
  checkListQuery,
  checkRevokeAll,
  checkSetPassword,
  LIMITS,
  ListQuery,
  type Revoked,
  ServiceError,
} from '@runcloud/protocol';
import type { Cursors } from '../flow/cursors.ts';
import type { HttpReply } from '../socket/http.ts';
import { type Call, readBody } from './call.ts';
import { DashboardCookie } from './dashboard-cookie.ts';
import { answerList } from './listing.ts';
import { readQuery } from './query.ts';
import { json } from './reply.ts';
import { checked, type SignInServices } from './sign-in.ts';

/** What an account's owner sees and changes, by key, token or dashboard. */

export function getAccount({ owner }: Call, { account }: SignInServices): HttpReply {
  return json(200, account.describe(owner));
}

/** The browser forgets its cookie, and the cookie opens nothing any more. With another credential there is nothing to end. */
export function signOut({ head }: Call, { account, ownOrigin }: SignInServices): HttpReply {
  const cookie = new DashboardCookie(ownOrigin());
  const secret = cookie.read(head);
  if (secret !== undefined) account.signIns.end(secret);
  return json(200, { signedOut: true }, { 'Set-Cookie': cookie.clear() });
}

export async function setPassword(call: Call, { account }: SignInServices, body: Uint8Array): Promise<HttpReply> {
  const request = checked(checkSetPassword(readBody(call, body, 'invalid_request')));
  await account.signIn.setPassword(call.owner, request);
  return json(200, account.describe(call.owner));
}

export function createKey(call: Call, { account }: SignInServices, body: Uint8Array): HttpReply {
  return json(201, account.keys.create(call.owner, checked(checkCreateKey(readBody(call, body, 'invalid_request')))));
}

const CREDENTIALS = {
  fields: Object.keys(ListQuery.properties),
  check: checkListQuery,
  code: 'invalid_request',
} as const;
const KEYS = { name: 'keys', ...CREDENTIALS } as const;
const TOKENS = { name: 'tokens', ...CREDENTIALS } as const;

export function listKeys(call: Call, { account }: SignInServices, cursors: Cursors): HttpReply {
  const { owner } = call;
  return answerList(KEYS, call, cursors, owner.accountId, (span) => account.keys.list(owner, span));
}

export function revokeKey({ owner, head, params }: Call, { account }: SignInServices): HttpReply {
  const { keyId: id = '' } = params;
  const { minted: wish } = readQuery(head.query, ['minted']);
  if (wish !== undefined && wish !== 'true' && wish !== 'false') {
    throw new ServiceError('invalid_request', '"minted" must be true or false.');
  }
  const minted = account.keys.revoke(owner, id, wish === 'true');
  return json(200, { id, revoked: true, ...(wish === 'true' ? { minted: [...minted] } : {}) } satisfies Revoked);
}

/** A browser that asks gets another cookie, as old as its own: that one may be what somebody else has. */
export function revokeAll(call: Call, { account, ownOrigin }: SignInServices, body: Uint8Array): HttpReply {
  const { newKey } = checked(checkRevokeAll(readBody(call, body, 'invalid_request')));
  const { accountId, signedInAtMs, expiresAtMs } = call.owner;
  const outcome = account.revokeAll.run(accountId, newKey);
  if (signedInAtMs === undefined || expiresAtMs === undefined) return json(200, outcome);
  const opened = account.signIns.replace({ accountId, signedInAtMs, expiresAtMs });
  return json(200, outcome, { 'Set-Cookie': new DashboardCookie(ownOrigin()).set(opened.secret, opened.lifeMs) });
}

export function listTokens(call: Call, { account }: SignInServices, cursors: Cursors): HttpReply {
  const { owner } = call;
  return answerList(TOKENS, call, cursors, owner.accountId, (span) => account.tokens.list(owner, span));
}

export function revokeToken({ owner, params: { tokenId: id = '' } }: Call, { account }: SignInServices): HttpReply {
  account.tokens.revoke(owner, id);
  return json(200, { id, revoked: true } satisfies Revoked);
}

export function usage({ owner, head }: Call, { account }: SignInServices): HttpReply {
  const { days } = readQuery(head.query, ['days']);
  const { min, max } = LIMITS.usageDays;
  const count = days === undefined ? LIMITS.usageDays.default : /^[0-9]{1,3}$/.test(days) ? Number(days) : 0;
  if (count < min || count > max) {
    throw new ServiceError('invalid_request', `"days" must be a whole number from ${min} to ${max}.`);
  }
  return json(200, account.usage(owner, count));
}

export function readDeviceRequest({ owner, params }: Call, { account }: SignInServices): HttpReply {
  return json(200, account.devices.read(owner, params.userCode ?? ''));
}

export function decideDeviceRequest(call: Call, { account }: SignInServices, body: Uint8Array): HttpReply {
  const { decision } = checked(checkDecision(readBody(call, body, 'invalid_request')));
  const approved = decision === 'approve';
  const userCode = account.devices.decide(call.owner, call.params.userCode ?? '', approved);
  return json(200, { userCode, approved });
}
