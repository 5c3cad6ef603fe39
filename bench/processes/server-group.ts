import { type ServerProcess, startServer } from './server-process.ts';

/** One server of a group: its file and its environment. */
export interface ServerPlan {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Servers that start together and end together. */
export class ServerGroup<Name extends string> {
  readonly #servers = new Map<Name, ServerProcess>();

  /** Starts all of them, bound to `core`. If one fails, throws after the others have started, so that `stop` ends every one. */
  async start(plans: Readonly<Partial<Record<Name, ServerPlan>>>, core: number): Promise<void> {
    const starting = Object.entries<ServerPlan | undefined>(plans).map(async ([name, plan]) => {
      if (plan) this.#servers.set(name as Name, await startServer({ name, ...plan, core }));
    });
    for (const each of await Promise.allSettled(starting)) if (each.status === 'rejected') throw each.reason;
  }

  get(name: Name): ServerProcess {
    const server = this.#servers.get(name);
    if (!server) throw new Error(`${name} is not running`);
    return server;
  }

  /** Never rejects. */
  async stop(): Promise<void> {
    await Promise.all([...this.#servers.values()].map((server) => server.stop()));
  }
}
