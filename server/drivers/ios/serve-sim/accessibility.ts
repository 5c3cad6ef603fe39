import { get, type IncomingMessage } from 'node:http';
import { DeviceFault } from '../../../device/fault.ts';
import { plainLine } from '../../process/plain-line.ts';
import { readAccessibility } from '../accessibility.ts';
import type { ReadUi } from '../helper.ts';
import type { Door } from './door.ts';

const PATH = '/ax';
/** Far beyond what an answer holds: the helper itself stops at some thousand elements. */
const BYTES_MAX = 16_777_216;
/** The helper's own answer while the simulator's accessibility is still starting. */
const NOT_READY = 503;

/** What is on the screen, by serve-sim's `/ax`: the elements of the app in front, within each other. Rejects with `DeviceFault`s. */
export function readScreen({ port, headers }: Pick<Door, 'port' | 'headers'>, signal: AbortSignal): Promise<ReadUi> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path: PATH, headers, agent: false, signal });
    const fail = (error: Error) => {
      request.destroy();
      const isCancelled = signal.aborted || error instanceof DeviceFault;
      reject(isCancelled ? error : unreachable(plainLine(error.message)));
    };
    request.on('error', fail);
    request.on('response', (response: IncomingMessage) => {
      const { statusCode = 0 } = response;
      if (statusCode === NOT_READY) return fail(unreachable('its simulator is not ready to tell of its screen yet'));
      if (statusCode !== 200)
        return fail(new DeviceFault('nonsense', `serve-sim answers ${statusCode} for the screen.`));
      const pieces: Buffer[] = [];
      let bytes = 0;
      response.on('error', fail);
      response.on('data', (piece: Buffer) => {
        bytes += piece.length;
        pieces.push(piece);
        if (bytes > BYTES_MAX)
          fail(new DeviceFault('nonsense', 'serve-sim tells more of the screen than can be read.'));
      });
      response.on('end', () => {
        try {
          resolve(readAccessibility(Buffer.concat(pieces).toString()));
        } catch (error) {
          reject(error);
        }
      });
    });
  });
}

const unreachable = (why: string) => new DeviceFault('unreachable', `serve-sim does not tell of the screen: ${why}.`);
