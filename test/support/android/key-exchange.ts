import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Key = JsonWebKey & { readonly kid: string };

const LOOK_MS = 20;
const ISSUERS = ['android-studio', 'gradle-utp-emulator-control'];

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());

/** How an emulator takes keys and judges tokens, with nothing of the driver's: it reads each `*.jwk`, and tells which it goes by. */
export class StandInKeys {
  readonly folder: string;
  readonly active: string;
  /** Keys are left lying. */
  deaf = false;
  #keys: readonly Key[] = [];
  readonly #looking: NodeJS.Timeout;

  constructor() {
    const parent = mkdtempSync(join(tmpdir(), 'runcloud-jwks-'));
    this.folder = join(parent, 'jwks');
    mkdirSync(this.folder);
    this.active = join(this.folder, 'active.jwk');
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
    this.#looking.unref();
  }

  /** Files of keys, without the emulator's own. */
  get files(): string[] {
    return readdirSync(this.folder).filter((name) => name !== 'active.jwk');
  }

  /** Whether a call of `path` with this header is accepted. */
  admits(header: unknown, path: string, nowS = Date.now() / 1_000): boolean {
    const [, head = '', claims = '', signature = ''] =
      /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(String(header)) ?? [];
    if (signature === '') return false;
    const { alg, kid, typ } = decode(head);
    const { iss, aud, iat, exp } = decode(claims);
    const key = this.#keys.find((other) => other.kid === kid);
    if (!key || alg !== 'ES256' || typ !== undefined || !ISSUERS.includes(iss)) return false;
    if (!(aud as string[]).includes(path) || !(iat <= nowS + 1) || !(nowS < exp)) return false;
    const publicKey = createPublicKey({ key, format: 'jwk' });
    const bytes = Buffer.from(signature, 'base64url');
    return verify('sha256', Buffer.from(`${head}.${claims}`), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
  }

  /** Reads the keys that are there now. */
  look(): void {
    this.#look();
  }

  close(): void {
    clearInterval(this.#looking);
    rmSync(join(this.folder, '..'), { recursive: true, force: true });
  }

  #look(): void {
    if (this.deaf || !existsSync(this.folder)) return;
    const keys = this.files.flatMap((name) => {
      try {
        return (JSON.parse(readFileSync(join(this.folder, name), 'utf8')) as { keys: Key[] }).keys;
      } catch {
        return [];
      }
    });
    const changed = keys.map(({ kid }) => kid).join() !== this.#keys.map(({ kid }) => kid).join();
    this.#keys = keys.filter((key) => key.kty === 'EC' && key.crv === 'P-256' && key.d === undefined);
    if (changed) writeFileSync(this.active, JSON.stringify({ keys: this.#keys }));
  }
}
