/**
 * Finds out whether what clients saw of a service at the same time could have come of doing their operations one after the
 * other: each at one moment between its call and its return (Herlihy and Wing, "Linearizability", 1990). The search is that of
 * Wing and Gong (1993), with Lowe's memory of what was tried (2017).
 */

/** What one client asked and was answered. Times are of one clock for all clients; no two are the same. */
export interface Operation<Input, Output> {
  readonly client: string;
  readonly input: Input;
  readonly output: Output;
  readonly calledAt: number;
  readonly returnedAt: number;
}

/** The service as if it had one client. States are values: `step` gives a new one. */
export interface SequentialModel<State, Input, Output> {
  readonly initial: State;
  /** The state after an operation; `undefined` if it could not have this output in this state. */
  step(state: State, input: Input, output: Output): State | undefined;
}

/** An order of the operations that explains all outputs; `undefined` if there is none. */
export function linearize<State, Input, Output>(
  model: SequentialModel<State, Input, Output>,
  history: readonly Operation<Input, Output>[],
): Operation<Input, Output>[] | undefined {
  const order: Operation<Input, Output>[] = [];
  const tried = new Set<string>();
  const open = new Set(history);

  const search = (state: State): boolean => {
    if (open.size === 0) return true;
    const place = `${history.map((one) => (open.has(one) ? '1' : '0')).join('')} ${JSON.stringify(state)}`;
    if (tried.has(place)) return false;
    tried.add(place);
    // The next one was called before any other one had returned.
    const firstReturn = Math.min(...[...open].map(({ returnedAt }) => returnedAt));
    for (const next of [...open].filter(({ calledAt }) => calledAt < firstReturn)) {
      const after = model.step(state, next.input, next.output);
      if (after === undefined) continue;
      open.delete(next);
      order.push(next);
      if (search(after)) return true;
      order.pop();
      open.add(next);
    }
    return false;
  };

  return search(model.initial) ? order : undefined;
}
