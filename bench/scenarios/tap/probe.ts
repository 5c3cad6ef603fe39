import { on } from 'node:events';
import WebSocket from 'ws';
import type { Service, ServiceSession } from '../../processes/service.ts';
import { TAP, type TapAnswers, tapMessage, usualAnswers } from './messages.ts';

const PROBE_MS_MAX = 5_000;

/** Taps once over each interface and returns the answers, so that the controls can send answers of the same length. */
export async function probeAnswers(service: Service, session: ServiceSession, idPrefix: string): Promise<TapAnswers> {
  const { url, headers, subprotocol } = session.control;
  const socket = new WebSocket(url, subprotocol ? [subprotocol] : [], { headers, perMessageDeflate: false });
  try {
    const signal = AbortSignal.timeout(PROBE_MS_MAX);
    const messages = on(socket, 'message', { signal });
    await messages.next();
    socket.send(tapMessage(`${idPrefix}s`, 'final').bytes);
    let message: Buffer;
    // Events of the session may come between.
    do [message] = (await messages.next()).value as [Buffer];
    while (!message.includes(idPrefix));
    const usual = usualAnswers(idPrefix);
    const json = await service.post(session.interactionsPath, { requestId: usualId(idPrefix), ...TAP });
    if (!message.includes('completed')) throw new Error('a tap over the control socket did not complete');
    if (json.status !== 'completed') throw new Error(`a tap over REST answered ${JSON.stringify(json)}`);
    return { ...usual, message, json: Buffer.from(JSON.stringify(json)) };
  } finally {
    socket.terminate();
  }
}

/** An id of the same length as those of the rows. */
const usualId = (idPrefix: string): string => `${idPrefix}r0000000000`;
