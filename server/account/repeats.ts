/**
 * A one-time credential is consumed before the answer has arrived: the disk may stall (503 `store_unavailable`), the process may
 * end, the network may lose the answer. For this time a repetition gets a new answer instead of a refusal, as long as nothing
 * of the first answer was used. The first answer is invalid from then on.
 *
 * A thief gains nothing compared with an unused credential. Refresh tokens (RFC 6749, section 10.4; RFC 9700, section 4.14.2): a
 * stolen one can be repeated only until its owner uses one of the new tokens, which owners do at once, since they renew to make
 * a request. A later use of an invalidated token, or of the old one once a successor is used, revokes the whole grant, so theft
 * is noticed. The time limit stops an old token of a program that ended before its next request from staying valid for weeks. A
 * device code is known only to the program, expires within ten minutes, and its first tokens are revoked when it is exchanged
 * again (RFC 6749, section 4.1.2; RFC 8628, section 3.5, lets the program retry after a lost answer). A sign-in link creates
 * another sign-in while the first is unused. An accepted invitation and a changed password are proved by the new password
 * itself, which gives access anyway.
 */
export const REPEATABLE_MS = 600_000;
