import { randomBytes } from 'node:crypto';
import { get } from 'node:http';
import { fileURLToPath } from 'node:url';
import guards from './guard.cjs';

const LOOPBACK_ONLY = fileURLToPath(new URL('loopback-only.cjs', import.meta.url));
const ANSWER_MS = 2_000;
const NONCE_BYTES = 16;
const SECRET_BYTES = 32;
/** A digest in hexadecimal digits; more is not read. */
const PROOF_CHARACTERS = 64;

/** The process that answers at a port: the helper, a foreign process that does not know the secret, or none yet. */
export type Behind = 'helper' | 'foreign' | 'none';

/** The way to one helper: its port, and a secret that only it and this process know. */
export class Door {
  readonly port: number;
  readonly #secret = randomBytes(SECRET_BYTES).toString('hex');

  constructor(port: number) {
    this.port = port;
  }

  /** Environment of the helper's program, so that it listens on this machine only and to holders of the secret. */
  get environment(): Readonly<Record<string, string>> {
    return { NODE_OPTIONS: `--require=${JSON.stringify(LOOPBACK_ONLY)}`, RUNCLOUD_HELPER_SECRET: this.#secret };
  }

  /** Headers of every request. */
  get headers(): Readonly<Record<string, string>> {
    return { Authorization: `Bearer ${this.#secret}` };
  }

  /** Checks without sending the secret, so that a foreign process on this port does not learn it. */
  behind(): Promise<Behind> {
    const nonce = randomBytes(NONCE_BYTES).toString('hex');
    return new Promise((resolve) => {
      const path = `/runcloud-proof/${nonce}`;
      const signal = AbortSignal.timeout(ANSWER_MS);
      const request = get({ host: '127.0.0.1', port: this.port, path, agent: false, signal });
      const settle = (behind: Behind): void => {
        resolve(behind);
        request.destroy();
      };
      // It may listen before it has the time to answer.
      const none = (): void => settle('none');
      let told = '';
      request.on('response', (response) => {
        response.setEncoding('latin1').on('data', (text: string) => {
          told += text;
          if (told.length > PROOF_CHARACTERS) settle('foreign');
        });
        response.on('end', () => settle(told === guards.proofOf(this.#secret, nonce) ? 'helper' : 'foreign'));
        response.on('error', none);
      });
      request.on('error', none);
    });
  }
}
