import type { AnyAction, Given } from '../../protocol/actions/action.ts';
import {
  ACTIONS,
  type ActionName,
  type AliasOf,
  type ArgsOf,
  type InputOf,
  type OptionsOf,
} from '../../protocol/actions/index.ts';

/** What an interaction does, flat, told apart by `action` (specification, section 4.3). */
export type Action = { [Name in ActionName]: Given<{ action: Name } & InputOf<Name>> }[ActionName];

type Method<Name extends ActionName, Options, Answer> = (
  ...args: [...ArgsOf<Name>, options?: OptionsOf<Name> & Options]
) => Answer;

/**
 * Every action of the contract by its name, and by its other name where it has one (specification, section 4.3). Coordinates
 * are shares of the display, from 0 to 1; `Options` is what each takes beside its own options.
 */
export type ActionMethods<Options, Answer> = {
  // Written so, each method has the comment of its action.
  -readonly [Name in keyof typeof ACTIONS]: Method<Name, Options, Answer>;
} & { [Name in ActionName as AliasOf<Name> & string]: Method<Name, Options, Answer> };

type Fields = Readonly<Record<string, unknown>>;

/** Makes a class with a method for every action. Each of them ends in the `interact` of the class that extends it. */
export function withActions<Options, Answer>(): abstract new () => ActionMethods<Options, Answer> {
  abstract class WithActions {
    abstract interact(request: Fields, options: Fields): unknown;
  }
  for (const { name, alias, call, options } of Object.values<AnyAction>(ACTIONS)) {
    const value = function (this: WithActions, ...args: unknown[]): unknown {
      const given = (args[call.length] ?? {}) as Fields;
      const { timeoutMs, requestId } = given;
      return this.interact({ action: name, ...call(...args), ...options(given), timeoutMs, requestId }, given);
    };
    for (const method of alias === undefined ? [name] : [name, alias]) {
      Object.defineProperty(WithActions.prototype, method, { value, writable: true, configurable: true });
    }
  }
  // The loop above has made what the type says, out of the same table.
  return WithActions as unknown as abstract new () => ActionMethods<Options, Answer>;
}
