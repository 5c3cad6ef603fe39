import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { coreOf, type Layout } from '../../processes/pin.ts';
import { ServerGroup } from '../../processes/server-group.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { RequestBed, RequestPlan } from '../requests/row.ts';
import { tapRequest, usualAnswers } from '../tap/messages.ts';
import { probeAnswers } from '../tap/probe.ts';
import { readRequest } from './messages.ts';
import type { RestCall, RestRow, RestServer } from './rows.ts';

const UWS_ROUTE = 'bench/controls/uws-route.ts';
const FASTIFY = 'bench/peers/fastify-route.mjs';
const BESIDE = {
  'uWS route': { file: UWS_ROUTE, calls: ['tap', 'session'], env: {} },
  'uWS route, device thread': { file: UWS_ROUTE, calls: ['tap'], env: { DEVICE_THREAD: '1' } },
  Fastify: { file: FASTIFY, calls: ['tap', 'session'], env: {} },
  'Fastify, device thread': { file: FASTIFY, calls: ['tap'], env: { DEVICE_THREAD: '1' } },
} as const;
type Beside = keyof typeof BESIDE;
type Answers = Readonly<Record<RestCall, Uint8Array>>;
/** A server for each call, because its constant answer is as long as the service's answer to that call. */
type ServerName = `${Beside}: ${RestCall}`;

const SESSION_ID = 'ses_0123456789ABCDEFGHIJKL';
/** As long as a typical session record, for controls that are measured without the service. */
const USUAL_SESSION = { id: SESSION_ID, sessionId: SESSION_ID, status: 'active', padding: '-'.repeat(700) };

/** The service with one session, the bare routes, Fastify if it is installed, and the load process. */
export class RestBed implements RequestBed<RestRow> {
  readonly load: LoadProcess;
  readonly #servers = new ServerGroup<ServerName>();
  #service: { readonly process: Service; readonly session: ServiceSession } | undefined;
  #jobs = 0;

  private constructor(layout: Layout) {
    this.load = new LoadProcess(coreOf(layout, 'load'));
  }

  /** @param servers the servers whose rows are measured */
  static async open(layout: Layout, servers: ReadonlySet<RestServer>): Promise<RestBed> {
    const bed = new RestBed(layout);
    try {
      const core = coreOf(layout, 'server');
      const answers = servers.has('RunCloud') ? await bed.#startService(core) : usual(bed.#nextIdPrefix());
      const beside = (Object.keys(BESIDE) as Beside[]).filter((name) => servers.has(name));
      const plans = beside.flatMap((name) => {
        const { file, calls, env } = BESIDE[name];
        return calls.map((call) => {
          const answer = { [CONTROL_ANSWER]: Buffer.from(answers[call]).toString('base64') };
          return [`${name}: ${call}`, { file, env: { ...env, ...answer } }] as const;
        });
      });
      await bed.#servers.start(Object.fromEntries(plans), core);
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  async #startService(core: number): Promise<Answers> {
    const process = await Service.start(core);
    try {
      const session = await process.createSession('ios');
      this.#service = { process, session };
      const { json } = await probeAnswers(process, session, this.#nextIdPrefix());
      const record = await process.get(`/service/sessions/${session.id}`);
      return { tap: json, session: Buffer.from(JSON.stringify(record)) };
    } finally {
      if (!this.#service) await process.stop();
    }
  }

  plan({ server: name, call }: RestRow): RequestPlan {
    const server = name === 'RunCloud' ? this.#running() : this.#servers.get(`${name}: ${call}`);
    const { host, port } = server;
    const sessionId = this.#service?.session.id ?? SESSION_ID;
    const key = this.#service?.process.key ?? '0'.repeat(40);
    const template =
      call === 'tap'
        ? tapRequest(this.#nextIdPrefix(), { host, path: `/service/ios/${sessionId}/interactions`, key })
        : readRequest(this.#nextIdPrefix(), { host, path: `/service/sessions/${sessionId}`, key });
    return { server, target: { kind: 'http', host, port }, template };
  }

  async close(): Promise<void> {
    await Promise.all([this.load.stop(), this.#service?.process.stop(), this.#servers.stop()]);
  }

  #running() {
    if (!this.#service) throw new Error('the service is not running');
    return this.#service.process.server;
  }

  #nextIdPrefix(): string {
    return `rest-${String(this.#jobs++).padStart(4, '0')}-`;
  }
}

const usual = (idPrefix: string): Answers => ({
  tap: usualAnswers(idPrefix).json,
  session: Buffer.from(JSON.stringify(USUAL_SESSION)),
});
