import { Type } from '@sinclair/typebox';
import {
  Account,
  CreatedKey,
  checkRevokeAll,
  KeyList,
  RevokeAll,
  Revoked,
  RevokedAll,
  TokenList,
  Usage,
} from '../account.ts';
import { CreateKey, checkCreateKey } from '../create-key.ts';
import { DoctorReport } from '../doctor.ts';
import { HostList } from '../host.ts';
import { LIMITS } from '../limits.ts';
import { queryCheck } from '../listing.ts';
import {
  checkDecision,
  checkSetPassword,
  DecideDeviceRequest,
  DecidedDeviceRequest,
  DeviceRequest,
  SetPassword,
  SignedOut,
} from '../sign-in.ts';
import { byKey, get, jsonBody, LIST_QUERY, post, query, remove } from './parts.ts';
import type { Route } from './route.ts';

const ACCOUNT = '/service/account';
const KEYS = `${ACCOUNT}/keys` as const;
const TOKENS = `${ACCOUNT}/tokens` as const;
const DEVICE_REQUEST = `${ACCOUNT}/device-requests/{userCode}` as const;

/** Query of the revocation of a key. */
const RevokeKeyQuery = Type.Object(
  {
    minted: Type.Optional(
      Type.Union([Type.Literal('true'), Type.Literal('false')], {
        words: 'true or false',
        description: '"true" also revokes the keys that this key created',
      }),
    ),
  },
  { $id: 'RevokeKeyQuery', additionalProperties: false },
);

/** Query of the usage. */
const UsageQuery = Type.Object(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: LIMITS.usageDays.min,
        maximum: LIMITS.usageDays.max,
        default: LIMITS.usageDays.default,
        description: 'Number of days, including today',
      }),
    ),
  },
  { $id: 'UsageQuery', additionalProperties: false },
);

export const ACCOUNT_ROUTES = {
  signOut: {
    ...post(`${ACCOUNT}/sign-out`, 'Sign out of the dashboard', 'again'),
    internal: true,
    ...byKey('account'),
    answers: { 200: { description: 'The cookie is revoked', schema: SignedOut } },
  },
  getAccount: {
    ...get(ACCOUNT, 'Read the account of the credential'),
    description: 'Tells which account a key, an access token or a browser acts as, and with which credential.',
    ...byKey('account'),
    answers: { 200: { description: 'The account', schema: Account } },
  },
  setPassword: {
    ...post(`${ACCOUNT}/password`, 'Choose an e-mail address and a password', 'again'),
    description:
      'Lets you sign in to the dashboard with an e-mail address. It needs the current password, or a sign-in within ' +
      'the last 30 minutes.',
    ...byKey('account'),
    body: jsonBody(SetPassword, checkSetPassword),
    answers: { 200: { description: 'The account', schema: Account } },
  },
  createKey: {
    ...post(KEYS, 'Create an API key; the answer is the only one that contains it', 'again'),
    description:
      'Use a key of its own for each program, so that you can revoke it alone. An account has at most 100 keys that ' +
      'are not revoked.',
    ...byKey('account'),
    body: jsonBody(CreateKey, checkCreateKey),
    answers: { 201: { description: 'The new key; no later answer contains it', schema: CreatedKey } },
  },
  listKeys: {
    ...get(KEYS, 'List the API keys that are not revoked, newest first'),
    description: 'Expired keys are among them. No answer contains a key itself.',
    ...byKey('account'),
    query: LIST_QUERY,
    answers: { 200: { description: 'The keys that are not revoked', schema: KeyList } },
  },
  revokeKey: {
    ...remove(`${KEYS}/{keyId}`, 'Revoke an API key and close its sockets', 'again'),
    description:
      'The key is refused from then on, and its sockets are closed. With `minted=true`, what a thief of the key may ' +
      'have made is revoked too. Repeating it has the same answer.',
    ...byKey('account'),
    query: query(RevokeKeyQuery, queryCheck(RevokeKeyQuery)),
    answers: { 200: { description: 'The key is revoked', schema: Revoked } },
  },
  revokeAll: {
    ...post(`${ACCOUNT}/revocations`, 'Revoke every credential of the account and close their sockets', 'again'),
    description:
      "Revokes all keys, programs, signed-in browsers, links and sessions' addresses at once; with `newKey`, the " +
      'answer contains the one key that is left. Sessions and recordings go on.',
    ...byKey('account'),
    body: jsonBody(RevokeAll, checkRevokeAll),
    answers: { 200: { description: 'The number of revoked credentials of each kind', schema: RevokedAll } },
  },
  listTokens: {
    ...get(TOKENS, 'List the signed-in programs, newest first'),
    description: 'Programs that you approved in the device flow.',
    ...byKey('account'),
    query: LIST_QUERY,
    answers: { 200: { description: 'The signed-in programs', schema: TokenList } },
  },
  revokeToken: {
    ...remove(`${TOKENS}/{tokenId}`, 'Sign out a program and close its sockets', 'again'),
    description: 'Its tokens are refused from then on, and its sockets are closed. Repeating it has the same answer.',
    ...byKey('account'),
    answers: { 200: { description: "The program's tokens are revoked", schema: Revoked } },
  },
  usage: {
    ...get(`${ACCOUNT}/usage`, 'Read the number of sessions, minutes and recordings of the last days'),
    description: 'Days are those of UTC; a session counts for the day on which it began.',
    ...byKey('account'),
    query: query(UsageQuery, queryCheck(UsageQuery)),
    answers: { 200: { description: 'The usage of each day', schema: Usage } },
  },
  readDeviceRequest: {
    ...get(DEVICE_REQUEST, 'Read a sign-in request of a program (device flow)'),
    description: 'What to show the user before the decision. After ten wrong codes the account must wait.',
    ...byKey('account'),
    answers: { 200: { description: 'The program that requests to sign in', schema: DeviceRequest } },
  },
  decideDeviceRequest: {
    ...post(DEVICE_REQUEST, 'Approve or deny a sign-in request of a program (device flow)', 'again'),
    description: 'The first decision stands; repeating it has the same answer.',
    ...byKey('account'),
    body: jsonBody(DecideDeviceRequest, checkDecision),
    answers: { 200: { description: 'The decision', schema: DecidedDeviceRequest } },
  },
  doctor: {
    ...get('/service/doctor', "Check the host's prerequisites; only for the operator's account"),
    description: 'Tells what the host lacks for real devices. The answer contains paths of the host.',
    ...byKey('operator'),
    answers: { 200: { description: 'One finding for each check', schema: DoctorReport } },
  },
  listHosts: {
    ...get('/service/hosts', "List the hosts and their devices; only for the operator's account"),
    description:
      'A service alone is one host. An edge tells the hosts of its fleet that were added, or that it has heard of since its start.',
    ...byKey('operator'),
    answers: { 200: { description: 'All hosts', schema: HostList } },
  },
} as const satisfies Record<string, Route>;
