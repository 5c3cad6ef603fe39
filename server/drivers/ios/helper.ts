import type { Button, Orientation, RenderOption } from '@runcloud/protocol';
import type { Point } from '../../device/driver.ts';
import type { UiScreen } from '../../device/ui.ts';
import type { VideoSource } from '../video/video-source.ts';

/** Abilities of a helper beyond one finger and a keyboard. */
export interface HelperAbilities {
  readonly fingers: 1 | 2;
  readonly buttons: readonly Button[];
  readonly renderOptions: readonly RenderOption[];
  readonly toggleSoftwareKeyboard: boolean;
}

/** What a helper tells of the app in front. */
export type ReadUi = Pick<UiScreen, 'app' | 'nodes' | 'missing'>;

export type TouchPhase = 'begin' | 'move' | 'end';
export type Direction = 'down' | 'up';

/**
 * A program that the operator has installed on the Mac, and that reaches what `simctl` does not: fingers, keys, buttons,
 * and the screen as video. Inputs are sent in their order and at once; `taken` tells when the helper has them. After the
 * helper is lost every call rejects with an `unreachable` fault or throws one.
 */
export interface SimulatorHelper extends VideoSource {
  readonly name: string;
  readonly can: HelperAbilities;
  /** @param points shares of the panel in portrait, however the simulator is turned */
  touch(phase: TouchPhase, points: readonly Point[]): void;
  key(direction: Direction, usage: number): void;
  /** One of the buttons that can be held. */
  button(direction: Direction, button: Button): void;
  home(): void;
  appSwitcher(): void;
  toggleSoftwareKeyboard(): Promise<void>;
  simulateMemoryWarning(): Promise<void>;
  /** What is on the screen, of the app in front. Absent where the helper does not tell. */
  readUi?(signal: AbortSignal): Promise<ReadUi>;
  setRenderOption(option: RenderOption, enabled: boolean): Promise<void>;
  rotate(orientation: Orientation): Promise<void>;
  /** Settles once the helper has taken everything that was sent. */
  taken(signal?: AbortSignal): Promise<void>;
  /** Told once, also when it is already lost. */
  onLost(listener: (reason: string) => void): void;
  close(): Promise<void>;
}
