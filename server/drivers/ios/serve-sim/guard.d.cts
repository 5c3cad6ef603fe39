import type { Server } from 'node:http';

export interface Guards {
  /** Puts the guard in front of a server's listeners, or of those of all servers by their prototype. */
  guard(server: Server, secret: string): void;
  /** What only who knows the secret can answer to `nonce`: hexadecimal digits. */
  proofOf(secret: string, nonce: string): string;
}

declare const guards: Guards;
export = guards;
