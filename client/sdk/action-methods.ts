import type { Given } from '../../protocol/actions/action.ts';
import type { ActionName, InputOf } from '../../protocol/actions/index.ts';
import { type AliasOf, type AnyMethod, type ArgsOf, METHODS, type OptionsOf } from '../../protocol/actions/methods.ts';

/** The flat fields of each action, its name among them. */
export type ActionInputs = { readonly [Name in ActionName]: Given<{ action: Name } & InputOf<Name>> };

type Method<Name extends ActionName, Options, Answer> = (
  ...args: [...ArgsOf<Name>, options?: OptionsOf<Name> & Options]
) => Answer;

/**
 * A method for every action, by its name and by its alias if it has one. Coordinates are fractions of the display, from 0 to 1;
 * `Options` are the options that every method takes beside its own, `Answers` what each returns.
 */
export type ActionMethods<Options, Answers extends Record<ActionName, unknown>> = {
  // A mapped type keeps the comment of each action for its method.
  -readonly [Name in keyof typeof METHODS]: Method<Name, Options, Answers[Name]>;
} & { [Name in ActionName as AliasOf<Name> & string]: Method<Name, Options, Answers[Name]> };

type Fields = Readonly<Record<string, unknown>>;

/** Creates a class with a method for every action. Each method calls `interact` of the derived class. */
export function withActions<Options, Answers extends Record<ActionName, unknown>>(): abstract new () => ActionMethods<
  Options,
  Answers
> {
  abstract class WithActions {
    abstract interact(request: Fields, options: Fields): unknown;
  }
  for (const [name, { alias, call, options }] of Object.entries<AnyMethod>(METHODS)) {
    const value = function (this: WithActions, ...args: unknown[]): unknown {
      const given = (args[call.length] ?? {}) as Fields;
      const { timeoutMs, requestId, observe } = given;
      return this.interact(
        { action: name, ...call(...args), ...options?.(given), timeoutMs, requestId, observe },
        given,
      );
    };
    for (const method of alias === undefined ? [name] : [name, alias]) {
      Object.defineProperty(WithActions.prototype, method, { value, writable: true, configurable: true });
    }
  }
  // The loop above has defined these methods from the same table as the type.
  return WithActions as unknown as abstract new () => ActionMethods<Options, Answers>;
}
