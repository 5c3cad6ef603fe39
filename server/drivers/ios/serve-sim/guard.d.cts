import type { Server } from 'node:http';

export interface Guards {
  /** Puts the guard in front of a server's listeners, or of those of all servers by their prototype. */
  guard(server: Server, secret: string): void;
  /** The HMAC of `nonce`, in hexadecimal digits, which only a holder of the secret can compute. */
  proofOf(secret: string, nonce: string): string;
}

declare const guards: Guards;
export = guards;
