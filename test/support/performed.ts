import type { InteractionRequest } from '@runcloud/protocol';
import type { RemoteDevice } from '../../server/link/remote-device.ts';

/** An interaction that a device was sent, without the queue that sessions put before it. */
export function performed(
  device: RemoteDevice,
  request: InteractionRequest,
  inputSeq: number,
  steps?: (steps: number) => void,
): { readonly id: number; readonly answered: Promise<unknown> } {
  let id = 0;
  const answered = new Promise<unknown>((resolve, reject) => {
    const receiver = { answered: resolve, failed: reject };
    id = device.perform(request, inputSeq, steps ? { ...receiver, steps } : receiver);
  });
  return { id, answered };
}
