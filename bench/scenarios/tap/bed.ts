import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import type { LoadTarget, RequestTemplate } from '../../load/job.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { coreOf, type Layout } from '../../processes/pin.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import { type TapAnswers, tapMessage, tapRequest, usualAnswers } from './messages.ts';
import { probeAnswers } from './probe.ts';
import { CONTROLS, type ControlName, type TapRow } from './rows.ts';

/** Sessions that a crowd of sockets is spread over: the queue of one takes 1,024 at once. */
const SESSIONS = 4;

/** Everything that one layout is measured with: the service with its sessions, the controls, the load process. */
export class TapBed {
  readonly load: LoadProcess;
  readonly #controls = new Map<ControlName, ServerProcess>();
  #service: { readonly process: Service; readonly sessions: readonly ServiceSession[] } | undefined;
  #jobs = 0;

  private constructor(layout: Layout) {
    this.load = new LoadProcess(coreOf(layout, 'load'));
  }

  static async open(layout: Layout, controlsOnly: boolean): Promise<TapBed> {
    const bed = new TapBed(layout);
    try {
      const core = coreOf(layout, 'server');
      const answers = controlsOnly ? usualAnswers(bed.#nextIdPrefix()) : await bed.#startService(core);
      await bed.#startControls(core, answers);
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  async #startService(core: number): Promise<TapAnswers> {
    const process = await Service.start(core);
    try {
      const session = await process.createSession('ios');
      const sessions = [session];
      while (sessions.length < SESSIONS) sessions.push(await process.createSession('ios'));
      this.#service = { process, sessions };
      return await probeAnswers(process, session, this.#nextIdPrefix());
    } finally {
      if (!this.#service) await process.stop();
    }
  }

  async #startControls(core: number, answers: TapAnswers): Promise<void> {
    const start = async ([name, { file, answer }]: [string, (typeof CONTROLS)[ControlName]]) => {
      const env = { [CONTROL_ANSWER]: Buffer.from(answers[answer]).toString('base64') };
      this.#controls.set(name as ControlName, await startServer({ name, file, env, core }));
    };
    // All are waited for, also after a failure, so that `close` finds every one of them.
    const started = await Promise.allSettled(Object.entries(CONTROLS).map(start));
    for (const each of started) if (each.status === 'rejected') throw each.reason;
  }

  /** Where the requests of a row go. */
  target({ server, via, mode }: TapRow): { readonly server: ServerProcess; readonly target: LoadTarget } {
    if (server === 'service') {
      const { process, first, more } = this.#running();
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

  /** The requests of one job of a row; no id comes twice in the life of the bed. */
  requests({ via }: TapRow): RequestTemplate {
    const prefix = this.#nextIdPrefix();
    if (via !== 'rest') return tapMessage(prefix, via);
    const path = this.#service?.sessions[0]?.interactionsPath ?? '/service/ios/ses_0123456789ABCDEFGHIJKL/interactions';
    const key = this.#service?.process.key ?? '0'.repeat(40);
    return tapRequest(prefix, { host: '127.0.0.1', path, key });
  }

  async close(): Promise<void> {
    const controls = [...this.#controls.values()];
    await Promise.all([this.load.stop(), this.#service?.process.stop(), ...controls.map((each) => each.stop())]);
  }

  #running() {
    const [first, ...more] = this.#service?.sessions ?? [];
    if (!this.#service || !first) throw new Error('the service is not running');
    return { process: this.#service.process, first, more };
  }

  #nextIdPrefix(): string {
    return `tap-${String(this.#jobs++).padStart(4, '0')}-`;
  }
}
