/**
 * OAuth clients of the device flow. They are public clients (RFC 6749, section 2.1): the id proves nothing, so a user must
 * approve each request and is shown the program's address.
 */
export const OAUTH_CLIENTS: ReadonlyMap<string, string> = new Map([['runcloud-cli', 'RunCloud command line']]);

export const clientName = (clientId: string): string => OAUTH_CLIENTS.get(clientId) ?? clientId;
