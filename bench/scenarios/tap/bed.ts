import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import type { LoadTarget, RequestTemplate } from '../../load/job.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { coreOf, type Layout } from '../../processes/pin.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import { type TapAnswers, tapMessage, tapRequest, touchMessages, usualAnswers } from './messages.ts';
import { probeAnswers } from './probe.ts';
import { CONTROLS, type ControlName, isService, SERVICES, type ServiceName, type TapRow } from './rows.ts';

/** Number of sessions over which many sockets are distributed: the queue of one session accepts 1,024 requests. */
const SESSIONS = 4;

interface RunningService {
  readonly process: Service;
  readonly sessions: readonly ServiceSession[];
}

interface TapBedOptions {
  readonly controlsOnly?: boolean;
  /** Another checkout whose services are started; the controls are those of this one. */
  readonly root?: string;
}

/** The processes of one layout: the services with their sessions, the controls, and the load process. */
export class TapBed {
  readonly load: LoadProcess;
  readonly #root: string | undefined;
  readonly #controls = new Map<ControlName, ServerProcess>();
  readonly #services = new Map<ServiceName, RunningService>();
  #jobs = 0;

  private constructor(layout: Layout, root: string | undefined) {
    this.load = new LoadProcess(coreOf(layout, 'load'));
    this.#root = root;
  }

  static async open(layout: Layout, { controlsOnly = false, root }: TapBedOptions = {}): Promise<TapBed> {
    const bed = new TapBed(layout, root);
    try {
      const core = coreOf(layout, 'server');
      const answers = controlsOnly ? usualAnswers(bed.#nextIdPrefix()) : await bed.#startServices(core);
      await bed.#startControls(core, answers);
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  /** Returns the answers for the controls; those of the two services are alike. */
  async #startServices(core: number): Promise<TapAnswers> {
    for (const name of Object.keys(SERVICES) as ServiceName[]) await this.#startService(name, core);
    const { process, first } = this.#running('service');
    return probeAnswers(process, first, this.#nextIdPrefix());
  }

  async #startService(name: ServiceName, core: number): Promise<void> {
    const process = await Service.start(core, undefined, { RUNCLOUD_SOCKETS: SERVICES[name] }, this.#root);
    const sessions: ServiceSession[] = [];
    this.#services.set(name, { process, sessions });
    while (sessions.length < SESSIONS) sessions.push(await process.createSession('ios'));
  }

  async #startControls(core: number, answers: TapAnswers): Promise<void> {
    const start = async ([name, { file, answer }]: [string, (typeof CONTROLS)[ControlName]]) => {
      const env = { [CONTROL_ANSWER]: Buffer.from(answers[answer]).toString('base64') };
      this.#controls.set(name as ControlName, await startServer({ name, file, env, core }));
    };
    // Waits for all, also after a failure, so that `close` ends every one of them.
    const started = await Promise.allSettled(Object.entries(CONTROLS).map(start));
    for (const each of started) if (each.status === 'rejected') throw each.reason;
  }

  /** The server and address to which the requests of a row are sent. */
  target({ server, via, mode }: TapRow): { readonly server: ServerProcess; readonly target: LoadTarget } {
    if (isService(server)) {
      const { process, first, more } = this.#running(server);
      const { host, port } = process.server;
      if (via === 'rest') return { server: process.server, target: { kind: 'http', host, port } };
      const isCrowd = mode.kind === 'closed' && mode.connections > 1;
      const moreUrls = isCrowd ? more.map(({ control }) => control.url) : [];
      return { server: process.server, target: { ...first.control, moreUrls } };
    }
    const control = this.#controls.get(server);
    if (!control) throw new Error(`${server} is not running`);
    const { host, port } = control;
    if (via === 'rest') return { server: control, target: { kind: 'http', host, port } };
    return { server: control, target: { kind: 'socket', url: `ws://${host}:${port}/`, headers: {}, greets: false } };
  }

  /** The requests of one job of a row; every id is unique in the life of the bed. */
  requests({ server, via }: TapRow): RequestTemplate {
    const prefix = this.#nextIdPrefix();
    if (via === 'touch') return touchMessages(prefix);
    if (via !== 'rest') return tapMessage(prefix, via);
    // A request to a control is as long as one to the service.
    const service = this.#services.get(isService(server) ? server : 'service');
    const path = service?.sessions[0]?.interactionsPath ?? '/service/ios/ses_0123456789ABCDEFGHIJKL/interactions';
    const key = service?.process.key ?? '0'.repeat(40);
    return tapRequest(prefix, { host: '127.0.0.1', path, key });
  }

  async close(): Promise<void> {
    const servers = [...this.#controls.values(), ...[...this.#services.values()].map(({ process }) => process)];
    await Promise.all([this.load.stop(), ...servers.map((each) => each.stop())]);
  }

  #running(name: ServiceName) {
    const service = this.#services.get(name);
    const [first, ...more] = service?.sessions ?? [];
    if (!service || !first) throw new Error(`the ${name} is not running`);
    return { process: service.process, first, more };
  }

  #nextIdPrefix(): string {
    return `tap-${String(this.#jobs++).padStart(4, '0')}-`;
  }
}
