import type { ControlEngine } from './control-engine.ts';
import { HostileFrames } from './hostile-frames.ts';

export interface HostileRun {
  readonly answers: number;
  /** Connections that were closed, by close code. */
  readonly closed: ReadonlyMap<number, number>;
}

/** Sends hostile frames to the engine, each to a socket that is open: both roles in turn. */
export async function sendHostileFrames(engine: ControlEngine, frames: number, seed: number): Promise<HostileRun> {
  const source = new HostileFrames(seed);
  const sockets = [engine.open('control'), engine.open('view')];
  const closed = new Map<number, number>();
  let answers = 0;
  for (let index = 0; index < frames; index++) {
    // Most is refused to viewers before anything looks at it.
    const at = index % 8 === 0 ? 1 : 0;
    const socket = sockets[at] ?? engine.open();
    socket.connection.receive(source.next());
    // Accepted requests are performed, and their answers written, in later iterations of the event loop.
    if (index % 64 === 0) await new Promise((resolve) => void setImmediate(resolve));
    const { outlet } = socket;
    if (!outlet.closed) continue;
    closed.set(outlet.closed.code, (closed.get(outlet.closed.code) ?? 0) + 1);
    answers += outlet.sent;
    sockets[at] = engine.open(at === 0 ? 'control' : 'view');
  }
  await new Promise((resolve) => void setImmediate(resolve));
  for (const { outlet } of sockets) answers += outlet.sent;
  return { answers, closed };
}
