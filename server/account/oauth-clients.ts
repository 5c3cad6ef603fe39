/**
 * Programs that may ask to be let in by the device flow. They are public clients (RFC 6749, section 2.1): the id is no
 * proof, which is why a person is asked, and told where the program runs.
 */
export const OAUTH_CLIENTS: ReadonlyMap<string, string> = new Map([['runcloud-cli', 'RunCloud command line']]);

export const clientName = (clientId: string): string => OAUTH_CLIENTS.get(clientId) ?? clientId;
