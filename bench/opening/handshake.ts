import { connect } from 'node:net';
import { upgradeRequest } from '../viewers/viewer.ts';
import type { OpeningTarget } from './job.ts';

const HEAD_END = '\r\n\r\n';
const HANDSHAKE_MS_MAX = 10_000;

/**
 * Connects, upgrades, waits for the server's first message, and closes at once. Resolves with the milliseconds up to the
 * message.
 */
export function handshake(target: OpeningTarget): Promise<number> {
  return new Promise((resolve, reject) => {
    const sinceMs = performance.now();
    const socket = connect({ host: target.host, port: target.port, noDelay: true });
    let answer = '';
    const fail = (error: Error) => {
      socket.destroy();
      reject(error);
    };
    socket.setTimeout(HANDSHAKE_MS_MAX, () => fail(new Error('a socket was not opened in time')));
    socket.on('connect', () => socket.write(upgradeRequest(target)));
    socket.on('error', fail);
    socket.on('close', () => reject(new Error(`a socket was closed: ${answer.slice(0, 200)}`)));
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1');
      const end = answer.indexOf(HEAD_END);
      if (end < 0) return;
      if (!answer.startsWith('HTTP/1.1 101 ')) return fail(new Error(`no upgrade: ${answer.slice(0, 200)}`));
      if (answer.length === end + HEAD_END.length) return;
      const tookMs = performance.now() - sinceMs;
      // A reset leaves no port in TIME_WAIT: a run would soon use up all ports.
      socket.resetAndDestroy();
      resolve(tookMs);
    });
  });
}
