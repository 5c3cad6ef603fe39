import type { Fault } from '../fault.ts';
import type { Controls, Platform } from '../platforms.ts';
import type { UiRole } from '../ui-roles.ts';

/**
 * The types of an action. They do not use types of the schemas' package, since the published declarations of the SDK refer to
 * them.
 */

/** A normalised position on the display in its current orientation, from 0 to 1; (0, 0) is the top left. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * An element of the screen: by its `ref` in one `frame`, or by `text`, `id` or `role`, and whatever else tells it from others.
 */
export interface Target {
  /** `@` and a number, as the tree of the screen has it; with nothing but `frame`. */
  readonly ref?: string;
  /** Number of the frame that the ref belongs to. */
  readonly frame?: number;
  /** In the name or the value, in upper or lower case; one that is the whole comes first. */
  readonly text?: string;
  /** The app's own name of the element, exactly. */
  readonly id?: string;
  readonly role?: UiRole;
  /** Text of another element: the nearest to that one is meant. */
  readonly near?: string;
  /** Which of several, from 0: as they are drawn, or by their distance to `near`. */
  readonly index?: number;
  /** `text` is the whole name or value, letter by letter. */
  readonly exact?: boolean;
}

/** Something that a device has not: what, with its verb (`"rotate" to "landscape_left" is`), and what there is instead. */
export interface Lack {
  readonly what: string;
  readonly instead?: string;
}

/** `T` as an argument: deeply readonly, since it is never changed, and with `undefined` allowed for optional fields. */
export type Given<T> = T extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : T extends object
    ? {
        readonly [Key in keyof T]: Partial<Pick<T, Key>> extends Pick<T, Key>
          ? Given<T[Key]> | undefined
          : Given<T[Key]>;
      }
    : T;

/** The parts of a JSON Schema that are read without knowing the package that made it. */
export interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[] | undefined;
}

/**
 * One action of the contract: everything that is known of it but how a program calls it and how a device does it.
 *
 * - `Input`: its own fields as a client sends them; `Fields`: with every default filled in
 * - `Result`: the `result` of its acknowledgement; `undefined` where it has none
 */
export interface Action<Name extends string, Input, Fields, Result> {
  readonly name: Name;
  /** In one line, for the command line and for OpenAPI. */
  readonly summary: string;
  /** The whole flat request, common fields included; closed. */
  readonly schema: ObjectSchema;
  /** The first fault of a value that the schema refuses; `undefined` for a valid one. Compiled once. */
  readonly check: (value: unknown) => Fault | undefined;
  /** Checks rules between fields, which the schema cannot express. `timeoutMs` is the one in force. */
  readonly rules: (input: Input, timeoutMs: number) => Fault | undefined;
  /** A fresh object of its own fields with every default, and nothing of the caller's own in it. `timeoutMs` is the one in force. */
  readonly complete: (input: Input, timeoutMs: number) => Fields;
  /** The shape of the result, closed; absent where the action has none. */
  readonly result?: ObjectSchema;
  /** Never there: it only says the result's type. */
  readonly resultType?: Result;
  /** Where devices can have it at all. */
  readonly platforms: readonly Platform[];
  /** The capability that this request needs besides the action itself and that the device lacks, if any. */
  readonly lack?: (fields: Fields, can: Controls) => Lack | undefined;
  /** Why some devices do not have it, where that is not plain: the end of the sentence that refuses it. */
  readonly absence?: string;
  /** Takes no time of its own: several that wait one behind the other may be sent to the device's host together. */
  readonly brief: boolean;
  /** A request may be as long as a message. */
  readonly long: boolean;
  /** Changes nothing: it needs no control of the session, and its outcome, which may be long, is not kept. */
  readonly reads: boolean;
}

/** Any action, for code that treats all of them alike. */
// biome-ignore lint/suspicious/noExplicitAny: its members take what the same action's other members give
export type AnyAction = Action<string, any, any, any>;
