import { type Static, Type } from '@sinclair/typebox';
import { compileCheck, oneOf } from './compile-check.ts';
import { EMAIL_PATTERN } from './email.ts';
import type { Checked } from './fault.ts';
import { text, timestamp } from './fields.ts';
import { LIMITS } from './limits.ts';

/** Sign-in to the dashboard, and approval of programs that sign in with the device flow (RFC 8628). */

/** Protects against CSRF: a state change by cookie must carry this header, which no form and no other site can send. */
export const DASHBOARD_HEADER = 'X-RunCloud-Dashboard';

const Email = Type.String({
  maxLength: LIMITS.emailCharacters,
  pattern: EMAIL_PATTERN,
  words: 'an e-mail address such as "ada@example.com"',
  description: 'E-mail address to sign in with',
  examples: ['ada@example.com'],
});
const Password = Type.String({
  minLength: LIMITS.passwordCharacters.min,
  maxLength: LIMITS.passwordCharacters.max,
  words: `a password of ${LIMITS.passwordCharacters.min} to ${LIMITS.passwordCharacters.max} characters`,
  description: 'The new password',
  examples: ['correct horse battery'],
});
/** A password to compare: one that breaks the rules for new passwords is wrong, not malformed. */
const GivenPassword = Type.String({
  maxLength: LIMITS.passwordCharacters.max,
  words: 'a password',
  description: 'The password that is valid now; not needed within 30 minutes of a sign-in',
  examples: ['correct horse battery'],
});
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
    email: text('E-mail address that was invited', 'ada@example.com'),
    expiresAt: timestamp('When the invitation stops working'),
    isNew: Type.Boolean({ description: 'The account has no password yet' }),
  },
  { $id: 'Invitation', additionalProperties: false },
);
export type Invitation = Static<typeof Invitation>;

export const SignedOut = Type.Object(
  { signedOut: Type.Literal(true) },
  { $id: 'SignedOut', additionalProperties: false },
);

const UserCode = text('The code that the program shows', 'BCDF-GHJK');

/** A sign-in request of a program, as the user sees it before the decision. */
export const DeviceRequest = Type.Object(
  {
    userCode: UserCode,
    client: text('The name of the program', 'RunCloud command line'),
    deviceName: Type.Optional(text('The name that the program gives its machine', 'ada-laptop')),
    address: text('Network address of the program', '203.0.113.7'),
    createdAt: timestamp('When the program asked'),
    expiresAt: timestamp('Until when you can decide'),
  },
  { $id: 'DeviceRequest', additionalProperties: false, description: 'A program that requests to sign in' },
);
export type DeviceRequest = Static<typeof DeviceRequest>;

const DECISIONS = ['approve', 'deny'] as const;
export const DecideDeviceRequest = Type.Object(
  { decision: oneOf(DECISIONS, { description: 'Whether the program may act as your account' }) },
  { $id: 'DecideDeviceRequest', additionalProperties: false },
);
export type DecideDeviceRequest = Static<typeof DecideDeviceRequest>;

export const DecidedDeviceRequest = Type.Object(
  { userCode: UserCode, approved: Type.Boolean({ description: 'Whether the program was approved' }) },
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
