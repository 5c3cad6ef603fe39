import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import type { LoadTarget } from '../../load/job.ts';
import { LoadProcess } from '../../processes/load-process.ts';
import { PEERS_HOME } from '../../processes/peers.ts';
import { coreOf, type Layout } from '../../processes/pin.ts';
import { ServerGroup } from '../../processes/server-group.ts';
import type { ServerProcess } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { RequestBed, RequestPlan } from '../requests/row.ts';
import { tapMessage, usualAnswers } from '../tap/messages.ts';
import { probeAnswers } from '../tap/probe.ts';
import { openAppiumSession } from './appium-session.ts';
import { socketIoTap, webDriverTap } from './messages.ts';
import type { PeerRow, PeerServer } from './rows.ts';

type SocketTarget = Extract<LoadTarget, { kind: 'socket' }>;

const SOCKET_IO = 'bench/peers/socket-io.mjs';
/** Sessions for fifty sockets with 64 requests each, which are 3,200: one session accepts 1,024 pending requests. */
const SESSIONS = ['ios', 'ios', 'ios', 'ios', 'android', 'android', 'android', 'android'] as const;

/** The service, the peers that are servers, and the load process. */
export class PeersBed implements RequestBed<PeerRow> {
  readonly load: LoadProcess;
  readonly #peers = new ServerGroup<Exclude<PeerServer, 'RunCloud'>>();
  #service: { readonly process: Service; readonly sessions: readonly ServiceSession[] } | undefined;
  #appiumSessionId = '';
  #jobs = 0;

  private constructor(layout: Layout) {
    this.load = new LoadProcess(coreOf(layout, 'load'));
  }

  /** @param servers the servers whose rows are measured */
  static async open(layout: Layout, servers: ReadonlySet<PeerServer>): Promise<PeersBed> {
    const bed = new PeersBed(layout);
    try {
      const core = coreOf(layout, 'server');
      const prefix = bed.#nextIdPrefix();
      const { json } = servers.has('RunCloud') ? await bed.#startService(core, prefix) : usualAnswers(prefix);
      const answer = { [CONTROL_ANSWER]: Buffer.from(json).toString('base64') };
      const appium = { file: 'bench/peers/appium.mjs', env: { APPIUM_HOME: PEERS_HOME } };
      await bed.#peers.start(
        {
          ...(servers.has('socket.io') ? { 'socket.io': { file: SOCKET_IO, env: answer } } : {}),
          ...(servers.has('socket.io, device thread')
            ? { 'socket.io, device thread': { file: SOCKET_IO, env: { ...answer, DEVICE_THREAD: '1' } } }
            : {}),
          ...(servers.has('Appium') ? { Appium: appium } : {}),
        },
        core,
      );
      if (servers.has('Appium')) bed.#appiumSessionId = await openAppiumSession(bed.#peers.get('Appium'));
      return bed;
    } catch (error) {
      await bed.close();
      throw error;
    }
  }

  async #startService(core: number, idPrefix: string) {
    const process = await Service.start(core);
    try {
      const sessions: ServiceSession[] = [];
      for (const platform of SESSIONS) sessions.push(await process.createSession(platform));
      const [first] = sessions;
      if (!first) throw new Error('no session');
      const answers = await probeAnswers(process, first, idPrefix);
      this.#service = { process, sessions };
      return answers;
    } finally {
      if (!this.#service) await process.stop();
    }
  }

  plan({ tapped, mode }: PeerRow): RequestPlan {
    if ('browser' in tapped) throw new Error('a page is no server');
    if (tapped.by === 'WebDriver') return this.#byWebDriver();
    if (tapped.server === 'RunCloud') return this.#ours(mode.kind === 'closed' && mode.connections > 1);
    const server = this.#peers.get(tapped.server);
    const { host, port } = server;
    if (tapped.server !== 'Appium') {
      return { server, target: { kind: 'socket.io', host, port }, template: socketIoTap(`${this.#nextIdPrefix()}0`) };
    }
    const template = webDriverTap({ host, port, sessionId: this.#appiumSessionId });
    return { server, target: { kind: 'http', host, port }, template };
  }

  async close(): Promise<void> {
    await Promise.all([this.load.stop(), this.#service?.process.stop(), this.#peers.stop()]);
  }

  #ours(spread: boolean): RequestPlan & { readonly server: ServerProcess; readonly target: SocketTarget } {
    const [first, ...more] = this.#service?.sessions ?? [];
    if (!this.#service || !first) throw new Error('the service is not running');
    const target = spread ? { ...first.control, moreUrls: more.map(({ control }) => control.url) } : first.control;
    return { server: this.#service.process.server, target, template: tapMessage(this.#nextIdPrefix(), 'final') };
  }

  #byWebDriver(): RequestPlan {
    const { process, sessions } = this.#service ?? {};
    const [session] = sessions ?? [];
    if (!process || !session) throw new Error('the service is not running');
    const { host, port } = process.server;
    const headers = { Authorization: `Bearer ${process.key}` };
    const template = webDriverTap({ host, port, path: '/wd', sessionId: session.id, headers });
    return { server: process.server, target: { kind: 'http', host, port }, template };
  }

  #nextIdPrefix(): string {
    return `peer-${String(this.#jobs++).padStart(4, '0')}-`;
  }
}
