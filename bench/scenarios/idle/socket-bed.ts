import { setTimeout as sleep } from 'node:timers/promises';
import { CONTROL_SUBPROTOCOL } from '@runcloud/protocol';
import { CONTROL_ANSWER } from '../../controls/control-process.ts';
import { cpuTimeUs } from '../../processes/cpu-time.ts';
import { CrowdProcess } from '../../processes/crowd-process.ts';
import { MEMORY_WATCH } from '../../processes/memory-use.ts';
import { type ServerProcess, startServer } from '../../processes/server-process.ts';
import { Service, type ServiceSession } from '../../processes/service.ts';
import type { ViewerTarget } from '../../viewers/viewer.ts';
import { type SocketFigures, socketFigures } from './figures.ts';
import { SESSIONS, SOCKET_ROWS, type SocketRow } from './rows.ts';

/** Sockets that are opened before the first reading, so that one-time costs of the server are not counted per socket. */
const FIRST_SOCKETS = 200;
/** Time for the events that are sent to the other sockets. */
const SETTLE_MS = 1_500;
const ANSWER = Buffer.from('idle').toString('base64');

/** Opens sockets on a server of its own and reads its memory before and after. */
export async function weighSockets(row: SocketRow, sockets: number, idleMs: number): Promise<SocketFigures> {
  const crowd = new CrowdProcess();
  const { server, targets, stop } = await start(row).catch(async (error: Error) => {
    await crowd.stop();
    throw error;
  });
  try {
    await crowd.open(targets, Math.min(FIRST_SOCKETS, sockets));
    await sleep(SETTLE_MS);
    const first = await server.memoryUse();
    const more = Math.max(1, sockets - FIRST_SOCKETS);
    await crowd.join(more);
    await sleep(SETTLE_MS);
    const sinceMs = performance.now();
    const cpuBeforeUs = cpuTimeUs(server.pid) ?? Number.NaN;
    const { bytes } = await crowd.measure(idleMs, 'nobody');
    const cpuUs = (cpuTimeUs(server.pid) ?? Number.NaN) - cpuBeforeUs;
    const seconds = (performance.now() - sinceMs) / 1_000;
    return socketFigures(SOCKET_ROWS[row], more, first, { use: await server.memoryUse(), cpuUs, bytes, seconds });
  } catch (error) {
    throw new Error(`${SOCKET_ROWS[row]}: ${error instanceof Error ? error.message : error}\n${server.lastWords()}`);
  } finally {
    await crowd.stop();
    await stop();
  }
}

interface Started {
  readonly server: ServerProcess;
  readonly targets: readonly ViewerTarget[];
  readonly stop: () => Promise<void>;
}

async function start(row: SocketRow): Promise<Started> {
  if (row === 'service') return startService();
  const file = row === 'uws' ? 'bench/controls/uws-echo.ts' : 'bench/controls/ws-echo.ts';
  const env = { [CONTROL_ANSWER]: ANSWER };
  const server = await startServer({ name: SOCKET_ROWS[row], file, env, preloads: [MEMORY_WATCH] });
  const { host, port } = server;
  return { server, targets: [{ host, port, path: '/', headers: {}, acknowledges: false }], stop: () => server.stop() };
}

async function startService(): Promise<Started> {
  const service = await Service.start(undefined, MEMORY_WATCH);
  try {
    const targets: ViewerTarget[] = [];
    // A key may open as many sockets at once as a session holds.
    for (const [index, key] of (await service.createKeys(SESSIONS)).entries()) {
      targets.push(idleTarget(service, await service.createSession(index % 2 === 0 ? 'ios' : 'android'), key));
    }
    return { server: service.server, targets, stop: () => service.stop() };
  } catch (error) {
    await service.stop();
    throw error;
  }
}

/** The target of idle control sockets of a session. */
function idleTarget({ server: { host, port } }: Service, { control }: ServiceSession, key: string): ViewerTarget {
  const headers = { Authorization: `Bearer ${key}`, 'Sec-WebSocket-Protocol': CONTROL_SUBPROTOCOL };
  return { host, port, path: new URL(control.url).pathname, headers, acknowledges: false };
}
