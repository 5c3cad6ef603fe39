/** Named events with one argument each. A listener that throws does not stop the other listeners. */
export class Emitter<Events> {
  readonly #listeners = new Map<keyof Events, Set<(value: never) => void>>();

  /** Calls `listener` for each event of `name`; the returned function removes it. */
  on<Name extends keyof Events>(name: Name, listener: (value: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        (listener as (value: Events[Name]) => void)(value);
      } catch (error) {
        // Thrown asynchronously: the runtime reports it as an uncaught error of the listener.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
