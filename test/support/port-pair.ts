import type { FromHost, Port, ToHost } from '../../server/link/messages.ts';

/** One end in memory, which can be watched and broken. */
export interface FakePort<Out, In> extends Port<Out, In> {
  /** Every batch that was sent from here. */
  readonly sent: (readonly Out[])[];
  readonly closed: boolean;
}

export interface PortPair {
  readonly gateway: FakePort<ToHost, FromHost>;
  readonly host: FakePort<FromHost, ToHost>;
  /** The host is gone: the gateway hears of it, and nothing passes any more. */
  breakHost(reason: string): void;
  /** The host's thread stands still: it lives, and answers nothing any more. */
  hangHost(): void;
}

/** Two connected ends, without a thread. Messages arrive in order, copied as a worker thread copies them. */
export function portPair(): PortPair {
  let alive = true;
  let hanging = false;
  const tellClosed: ((reason: string) => void)[] = [];
  const breakHost = (reason: string) => {
    if (!alive) return;
    alive = false;
    for (const tell of tellClosed) tell(reason);
  };
  const one = <Out, In>(deliver: (batch: readonly Out[]) => void, inbox: ((batch: readonly In[]) => void)[]) => {
    const sent: (readonly Out[])[] = [];
    const port: FakePort<Out, In> = {
      sent,
      get closed() {
        return !alive;
      },
      send: (batch, transfer) => {
        sent.push(batch);
        const copy = structuredClone(batch, { transfer: [...transfer] });
        queueMicrotask(() => {
          if (alive && !hanging) deliver(copy);
        });
      },
      onReceive: (listener) => void inbox.push(listener),
      onClosed: (listener) => void tellClosed.push(listener),
      close: async () => breakHost('closed'),
    };
    return port;
  };
  const atHost: ((batch: readonly ToHost[]) => void)[] = [];
  const atGateway: ((batch: readonly FromHost[]) => void)[] = [];
  return {
    gateway: one<ToHost, FromHost>(backend(atHost), atGateway),
    host: one<FromHost, ToHost>(backend(atGateway), atHost),
    breakHost,
    hangHost: () => {
      hanging = true;
    },
  };
}

const backend =
  <T>(inbox: readonly ((batch: readonly T[]) => void)[]) =>
  (batch: readonly T[]): void => {
    for (const receive of inbox) receive(batch);
  };
