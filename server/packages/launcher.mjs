import { spawn } from 'node:child_process';

/**
 * The program of a process that starts others for the service and passes on their text. A fork copies the page tables of
 * the forking process, which takes a large one tens of milliseconds: the service forks this small one, and this one forks
 * the rest. Plain JavaScript without packages keeps it small. `server/link/process-launcher.ts` is the service's side and
 * describes the messages.
 */

/** The descriptor of a started process that is its pipe. */
const CHANNEL = 3;
const running = new Map();

const report = (message, sent = () => undefined) => void process.send(message, sent);

function killGroup({ pid }) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

function start({ id, program, args, environment }) {
  const ended = (reason) => {
    if (running.delete(id)) report({ kind: 'ended', id, reason });
  };
  let child;
  try {
    child = spawn(program, args, {
      env: environment,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      detached: true,
      windowsHide: true,
    });
  } catch (error) {
    return report({ kind: 'ended', id, reason: error.message });
  }
  running.set(id, child);
  child.once('error', (error) => ended(error.message));
  // Ends the processes that it has started, however it ended itself.
  child.once('exit', () => killGroup(child));
  // Only after all of its text is reported.
  child.once('close', (code, signal) => ended(signal ? `ended by ${signal}` : `exit code ${code}`));
  // Without free file descriptors the child has no streams.
  const channel = child.stdio?.[CHANNEL];
  channel?.setEncoding('utf8');
  channel?.on('data', (text) => {
    // One piece of each child is on its way at a time: a child that says much waits until the service reads.
    channel.pause();
    report({ kind: 'text', id, text }, () => channel.resume());
  });
  // A write to an ended process fails; its exit reports the reason.
  channel?.on('error', () => undefined);
}

function end() {
  for (const child of running.values()) killGroup(child);
  process.exit();
}

process.on('message', (order) => {
  if (order.kind === 'start') return start(order);
  if (order.kind === 'end') return end();
  const child = running.get(order.id);
  if (order.kind === 'write') child?.stdio?.[CHANNEL]?.write(order.text);
  else if (child) killGroup(child);
});
process.on('disconnect', end);
// It ends with the service, not before: a supervisor signals all processes of a service at once.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => undefined);
