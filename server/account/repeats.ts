/**
 * A credential that works once is spent before anybody knows whether the answer arrives: the disk may stall behind the change
 * (503 `store_unavailable`), the process may end, the network may lose it. For this long whoever presents it again gets another
 * answer instead of a refusal, as long as nothing that came of the first one was used. That first answer is void from then on.
 *
 * A thief gains nothing over a credential that is not spent. Refresh tokens (RFC 6749, section 10.4; RFC 9700, section
 * 4.14.2): a stolen one can be exchanged again only while its owner has used neither token of the successor, which owners do at
 * once, since they renew to make a request. Whichever of the two comes second with what was made void, or with the spent
 * token once a successor is in use, ends the whole grant: of both parties one still presents what is invalid, and
 * is noticed. The bound in time keeps a spent token of a program that stopped before its next request from being good for
 * weeks. A device code is known to the program alone, ends within ten minutes as it is, and its first tokens go when it is
 * exchanged again (RFC 6749, section 4.1.2, for codes; RFC 8628, section 3.5, has the program ask again after a lost
 * answer). A sign-in link brings another sign-in while the first has asked for nothing. An accepted invitation and a changed
 * password are proved by the new password itself, which opens the account anyhow.
 */
export const REPEATABLE_MS = 600_000;
