import { once } from 'node:events';
import { CONTROL_SUBPROTOCOL } from '@runcloud/protocol';
import WebSocket from 'ws';
import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import type { Greeting } from '../../controls/greeting.ts';
import type { OpeningJob, OpeningTarget } from '../../opening/job.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { OpeningProcess } from '../../processes/opening-process.ts';
import { screenTarget } from '../../processes/screen-target.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import { HttpStills } from '../../stills/http-stills.ts';
import type { ConnectRow } from './rows.ts';

const PROBE_MS_MAX = 5_000;
/** Each opens 2,100 sockets before it has to wait. */
const KEYS = 50;
/** As long as the service's own greeting, for controls that are measured without the service. */
const USUAL_GREETING: Greeting = { ready: Buffer.alloc(1_600).toString('base64'), pictureBytes: 60_000 };

/** The service with a session whose screen is still, the bare servers, and the process that opens connections. */
export class ConnectBed {
  readonly opening = new OpeningProcess();
  #service:
    | {
        readonly process: Service;
        readonly session: ServiceSession;
        readonly keys: readonly string[];
        readonly png: Uint8Array;
      }
    | undefined;
  #controls: { readonly uws: ServerProcess; readonly ws: ServerProcess } | undefined;

  static async open(controlsOnly: boolean): Promise<ConnectBed> {
    const bed = new ConnectBed();
    try {
      await bed.#startControls(controlsOnly ? USUAL_GREETING : await bed.#startService());
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  job({ kind, atOnce }: ConnectRow): OpeningJob {
    if (kind === 'uws' || kind === 'ws') return { kind: 'handshakes', atOnce, targets: [this.#bareTarget(kind)] };
    if (kind === 'bare answer') return { kind, target: this.#bareTarget('uws') };
    const { process, session, keys, png } = this.#running();
    if (kind === 'service') {
      return { kind: 'handshakes', atOnce, targets: keys.map((key) => socketTarget(process, session, key)) };
    }
    if (kind === 'encoder') return { kind, png };
    if (kind === 'new session') return { kind, origin: process.origin, key: process.key };
    const { host, port } = process.server;
    return { kind, session: { host, port, path: `/service/ios/${session.id}`, key: process.key } };
  }

  /** The server that answers a row; `undefined` for a row that runs in the measuring process itself. */
  server({ kind }: ConnectRow): ServerProcess | undefined {
    if (kind === 'encoder') return undefined;
    if (kind === 'ws') return this.#controls?.ws;
    return kind === 'uws' || kind === 'bare answer' ? this.#controls?.uws : this.#service?.process.server;
  }

  async close(): Promise<void> {
    const { uws, ws } = this.#controls ?? {};
    await Promise.all([this.opening.stop(), this.#service?.process.stop(), uws?.stop(), ws?.stop()]);
  }

  #bareTarget(kind: 'uws' | 'ws'): OpeningTarget {
    if (!this.#controls) throw new Error('the bare servers are not running');
    const { host, port } = this.#controls[kind];
    return { host, port, path: '/', headers: {} };
  }

  #running() {
    if (!this.#service) throw new Error('the service is not running');
    return this.#service;
  }

  /** Starts the service with one session and finds out its greeting and the size of a first picture. */
  async #startService(): Promise<Greeting> {
    const process = await Service.start();
    let session: ServiceSession;
    try {
      session = await process.createSession('ios');
      const ready = await firstMessage(session);
      const pictureBytes = await firstPictureBytes(process, session);
      const keys = await process.createKeys(KEYS);
      this.#service = { process, session, keys, png: await picture(process, session) };
      return { ready: ready.toString('base64'), pictureBytes };
    } finally {
      if (!this.#service) await process.stop();
    }
  }

  async #startControls(greeting: Greeting): Promise<void> {
    const env = { [CONTROL_ANSWER]: Buffer.from(JSON.stringify(greeting)).toString('base64') };
    const uws = await startServer({ name: 'uWS greet', file: 'bench/controls/uws-greet.ts', env });
    try {
      this.#controls = { uws, ws: await startServer({ name: 'ws greet', file: 'bench/controls/ws-greet.ts', env }) };
    } finally {
      if (!this.#controls) await uws.stop();
    }
  }
}

function socketTarget({ server: { host, port } }: Service, { control }: ServiceSession, key: string): OpeningTarget {
  const headers = { Authorization: `Bearer ${key}`, 'Sec-WebSocket-Protocol': CONTROL_SUBPROTOCOL };
  return { host, port, path: new URL(control.url).pathname, headers };
}

async function firstMessage({ control: { url, headers } }: ServiceSession): Promise<Buffer> {
  const socket = new WebSocket(url, CONTROL_SUBPROTOCOL, { headers, perMessageDeflate: false });
  try {
    const [ready] = (await once(socket, 'message', { signal: AbortSignal.timeout(PROBE_MS_MAX) })) as [Buffer];
    return ready;
  } finally {
    socket.terminate();
  }
}

async function firstPictureBytes(service: Service, session: ServiceSession): Promise<number> {
  const crowd = new CrowdProcess();
  try {
    // Measured from the first packet on, with a second viewer, whose packet equals that of the first one.
    await crowd.open(screenTarget(service, session), 1);
    await crowd.begin();
    await crowd.join(1);
    const { first } = await crowd.end();
    const bytes = first[0]?.bytes;
    if (bytes === undefined) throw new Error('a further viewer got no picture');
    return bytes;
  } finally {
    await crowd.stop();
  }
}

async function picture({ server: { host, port }, key }: Service, { id }: ServiceSession): Promise<Uint8Array> {
  const path = `/service/ios/${id}/screenshot`;
  const stills = await HttpStills.open({ host, port, path }, { Authorization: `Bearer ${key}` });
  try {
    return await stills.fetch();
  } finally {
    stills.close();
  }
}
