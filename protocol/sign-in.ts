import { type Static, Type } from '@sinclair/typebox';
import { Timestamp } from './acknowledgement.ts';
import { compileCheck, oneOf } from './compile-check.ts';
import { EMAIL_PATTERN } from './email.ts';
import type { Checked } from './fault.ts';
import { LIMITS } from './limits.ts';

/** Sign-in to the dashboard, and approval of programs that sign in with the device flow (RFC 8628). */

/** Protects against CSRF: a state change by cookie must carry this header, which no form and no other site can send. */
export const DASHBOARD_HEADER = 'X-RunCloud-Dashboard';

const Email = Type.String({
  maxLength: LIMITS.emailCharacters,
  pattern: EMAIL_PATTERN,
  words: 'an e-mail address such as "ada@example.com"',
});
const Password = Type.String({
  minLength: LIMITS.passwordCharacters.min,
  maxLength: LIMITS.passwordCharacters.max,
  words: `a password of ${LIMITS.passwordCharacters.min} to ${LIMITS.passwordCharacters.max} characters`,
});
/** A password to compare: one that breaks the rules for new passwords is wrong, not malformed. */
const GivenPassword = Type.String({ maxLength: LIMITS.passwordCharacters.max, words: 'a password' });
const LinkToken = Type.String({ minLength: 1, maxLength: 100, words: 'the text after the # of the link' });

export const SignInRequest = Type.Object(
  { email: Email, password: GivenPassword },
  { $id: 'SignIn', additionalProperties: false },
);
export const LinkRequest = Type.Object({ token: LinkToken }, { $id: 'SignInLink', additionalProperties: false });
export const AcceptInvitation = Type.Object(
  { token: LinkToken, password: Password },
  { $id: 'AcceptInvitation', additionalProperties: false },
);
export const SetPassword = Type.Object(
  { email: Email, password: Password, currentPassword: Type.Optional(GivenPassword) },
  { $id: 'SetPassword', additionalProperties: false },
);
export type SignInRequest = Static<typeof SignInRequest>;
export type LinkRequest = Static<typeof LinkRequest>;
export type AcceptInvitation = Static<typeof AcceptInvitation>;
export type SetPassword = Static<typeof SetPassword>;

export const Invitation = Type.Object(
  {
    email: Type.String(),
    expiresAt: Timestamp,
    isNew: Type.Boolean({ description: 'The account has no password yet' }),
  },
  { $id: 'Invitation', additionalProperties: false },
);
export type Invitation = Static<typeof Invitation>;

export const SignedOut = Type.Object(
  { signedOut: Type.Literal(true) },
  { $id: 'SignedOut', additionalProperties: false },
);

/** A sign-in request of a program, as the user sees it before the decision. */
export const DeviceRequest = Type.Object(
  {
    userCode: Type.String(),
    client: Type.String({ description: 'The name of the program' }),
    deviceName: Type.Optional(Type.String({ description: 'The name that the program gives its machine' })),
    address: Type.String({ description: 'Network address of the program' }),
    createdAt: Timestamp,
    expiresAt: Timestamp,
  },
  { $id: 'DeviceRequest', additionalProperties: false },
);
export type DeviceRequest = Static<typeof DeviceRequest>;

const DECISIONS = ['approve', 'deny'] as const;
export const DecideDeviceRequest = Type.Object(
  { decision: oneOf(DECISIONS) },
  { $id: 'DecideDeviceRequest', additionalProperties: false },
);
export type DecideDeviceRequest = Static<typeof DecideDeviceRequest>;

export const DecidedDeviceRequest = Type.Object(
  { userCode: Type.String(), approved: Type.Boolean() },
  { $id: 'DecidedDeviceRequest', additionalProperties: false },
);
export type DecidedDeviceRequest = Static<typeof DecidedDeviceRequest>;

const checker = <T>(schema: Parameters<typeof compileCheck>[0]) => {
  const check = compileCheck(schema);
  return (body: unknown): Checked<T> => {
    const refused = check(body);
    return refused ? { ok: false, fault: refused } : { ok: true, value: body as T };
  };
};

export const checkSignIn = checker<SignInRequest>(SignInRequest);
export const checkLink = checker<LinkRequest>(LinkRequest);
export const checkAcceptInvitation = checker<AcceptInvitation>(AcceptInvitation);
export const checkSetPassword = checker<SetPassword>(SetPassword);
export const checkDecision = checker<DecideDeviceRequest>(DecideDeviceRequest);
