import type { SessionHandle } from '../sdk/session.ts';
import type { Platform } from '../sdk/types.ts';
import type { Place } from './fault.ts';
import type { OutputFolder } from './output-folder.ts';
import type { Screen } from './screen.ts';
import type { Value } from './value.ts';
import type { Variables } from './variables.ts';

/** What a command does, and how it is told. */
export interface Deed {
  /** Behind the name of the command; variables stand by name, so that no secret is told. */
  readonly words: string;
  readonly perform: (run: Run) => Promise<void>;
}

export interface Step extends Deed {
  readonly place: Place;
  readonly command: string;
  /** The flow's own words for it. */
  readonly label?: string;
  /** Its failure does not fail the flow. */
  readonly isOptional: boolean;
}

/** A flow in progress, as its steps use it. */
export interface Run {
  readonly session: SessionHandle;
  readonly screen: Screen;
  readonly output: OutputFolder;
  readonly signal: AbortSignal;
  /** What `copyTextFrom` has copied. */
  copiedText: string | undefined;
  /** The recording that `startRecording` has started, and the file that it becomes. */
  recording: { readonly id: string; readonly path: string } | undefined;
  /** Performs steps within a step. */
  perform(steps: readonly Step[]): Promise<void>;
}

/** What a list of commands is read with. */
export interface Scope {
  readonly platform: Platform;
  readonly appId: string | undefined;
  readonly variables: Variables;
  /** Reads commands; `variables` come on top of those in force. */
  steps(list: Value, variables?: Variables): readonly Step[];
  /** The same of another file, by its path beside this one. */
  file(path: Value, variables?: Variables): readonly Step[];
}

export type ReadCommand = (value: Value, scope: Scope) => Deed;
export type Commands = Readonly<Record<string, ReadCommand>>;
