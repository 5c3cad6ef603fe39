import { ROUTES, type Route, type SessionRecord } from '@runcloud/protocol';
import { frame, OPCODE, UPGRADE_HEADERS } from './frames.ts';
import { requestText } from './wire.ts';

/** Existing resources for the requests, so that most of them reach one. */
export interface ChaosSubjects {
  readonly session: SessionRecord;
  readonly authorization: string;
  /** A finished recording of the session, and where its file is for the time being. */
  readonly recordingId: string;
  readonly retrieval: () => string;
}

/** Beyond every socket's first buffers. */
const LARGE_BODY = Buffer.alloc(400_000, 'PK\x03\x04 no package at all ');
/** Files and pages that there are; any other value of these names is unknown. */
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  file: ['app.js', 'style.css', 'embed.js', 'none.js'],
  page: ['keys', 'none'],
};
/** Work of a hundred other requests: these come in one round of six. */
const COSTLY = /\/(screenshot|doctor|assets)$/;
/** With the right key these would end the run's own account: they come with a wrong one. */
const FATAL = /\/account\/revocations$/;
const PATHS_OF_NOBODY = ['/', '/favicon.ico', '/service/nothing', '/oauth/nothing', '/view/ses_x/y', '/%00', '/a//b'];

/** Makes requests of every kind that the protocol knows, and of some that it does not. */
export class ChaosRequests {
  readonly #subjects: ChaosSubjects;
  readonly #random: () => number;
  readonly #routes: readonly Route[] = Object.values(ROUTES);
  #next = 0;

  constructor(subjects: ChaosSubjects, random: () => number) {
    this.#subjects = subjects;
    this.#random = random;
  }

  /** How many different requests `next` goes through before it begins anew. */
  get kinds(): number {
    return this.#routes.length + PATHS_OF_NOBODY.length;
  }

  /** Every route in turn, each with random headers and body. */
  next(): Buffer {
    const index = this.#next++ % this.kinds;
    const route = this.#routes[index];
    if (route && COSTLY.test(route.path) && !this.#one(6)) return this.next();
    if (route) return this.#ofRoute(route);
    const path = PATHS_OF_NOBODY[index - this.#routes.length] ?? '/';
    return Buffer.from(requestText(`GET ${path}`, this.#headers()));
  }

  /** A public answer that is larger than what the socket library gathers before it writes. */
  largeAnswer(): Buffer {
    return Buffer.from(requestText('GET /openapi.json'));
  }

  #ofRoute(route: Route): Buffer {
    const { path } = route;
    const target = this.#targetOf(route);
    if (path.endsWith('/control')) return this.#upgrade(target);
    if (route.method !== 'POST') {
      const method = route.method === 'GET' && this.#one(8) ? 'HEAD' : route.method;
      return Buffer.from(requestText(`${method} ${target}`, this.#headers()));
    }
    const isUpload = path.endsWith('/assets');
    const type = path.startsWith('/oauth') ? 'application/x-www-form-urlencoded' : 'application/json';
    const own = FATAL.test(path) ? { Authorization: 'Bearer wrong' } : this.#headers();
    const headers = { ...own, 'Content-Type': isUpload ? 'application/octet-stream' : type };
    const body = isUpload || this.#one(10) ? LARGE_BODY : Buffer.from(this.#bodyOf(path));
    if (isUpload && this.#one(2)) {
      const head = requestText(`POST ${target}`, { ...headers, 'Transfer-Encoding': 'chunked' });
      const size = `${body.byteLength.toString(16)}\r\n`;
      return Buffer.concat([Buffer.from(head + size), body, Buffer.from('\r\n0\r\n\r\n')]);
    }
    const head = requestText(`POST ${target}`, { ...headers, 'Content-Length': `${body.byteLength}` });
    return Buffer.concat([Buffer.from(head), body]);
  }

  /** Only what does no harm to the others is done to the session itself; everything else to one that there is not. */
  #targetOf({ method, path }: Route): string {
    const { session, recordingId, retrieval } = this.#subjects;
    if (path.startsWith('/retrieve/') && !this.#one(4)) return retrieval();
    const isHarmless = method === 'GET' || /\/(interactions|open-url)$/.test(path);
    const values: Readonly<Record<string, string>> = {
      platform: session.platform,
      sessionId: isHarmless ? session.id : 'ses_unknown',
      recordingId,
    };
    return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? this.#pick(KNOWN[name] ?? ['unknown']));
  }

  #bodyOf(path: string): string {
    if (path.endsWith('/interactions')) return JSON.stringify({ action: 'tap', x: this.#random(), y: this.#random() });
    if (path.endsWith('/open-url')) return JSON.stringify({ url: 'https://example.com/' });
    if (path.startsWith('/oauth')) return 'client_id=runcloud-cli&token=x&grant_type=refresh_token';
    return this.#pick(['{}', '[', '{"email":1}']);
  }

  #upgrade(target: string): Buffer {
    const { authorization } = this.#subjects;
    const credential: Record<string, string> = this.#one(4) ? {} : { Authorization: authorization };
    const head = requestText(`GET ${target}`, { ...UPGRADE_HEADERS, ...credential });
    // { type: 'screen.start', streamId: 1 }, then what is no message.
    const start = Buffer.from('82a474797065ac73637265656e2e7374617274a873747265616d496401', 'hex');
    const frames = [start, Buffer.from([0xc1])].map((payload) => frame({ opcode: OPCODE.binary, payload }));
    return Buffer.concat([Buffer.from(head), ...frames]);
  }

  #headers(): Record<string, string> {
    const { authorization } = this.#subjects;
    const range: Record<string, string> = this.#one(4) ? { Range: 'bytes=5-' } : {};
    const accept: Record<string, string> = this.#one(4) ? { Accept: 'text/html' } : {};
    if (this.#one(4)) return { ...range, ...accept };
    return { Authorization: this.#one(8) ? 'Bearer wrong' : authorization, ...range, ...accept };
  }

  #one(of: number): boolean {
    return this.#random() * of < 1;
  }

  #pick(from: readonly string[]): string {
    return from[Math.floor(this.#random() * from.length)] ?? '';
  }
}
