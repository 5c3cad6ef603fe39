import type { Button, GestureStep, Key, Modifier, Orientation, Point, RenderOption } from './types.ts';

/** What an interaction does, flat, told apart by `action` (specification, section 4.3). */
export type Action =
  | { readonly action: 'tap'; readonly x: number; readonly y: number }
  | { readonly action: 'swipe'; readonly from: Point; readonly to: Point; readonly durationMs?: number | undefined }
  | { readonly action: 'gesture'; readonly steps: readonly GestureStep[] }
  | { readonly action: 'typeText'; readonly text: string }
  | {
      readonly action: 'pressKey';
      readonly key: Key;
      readonly modifiers?: readonly Modifier[] | undefined;
      readonly durationMs?: number | undefined;
    }
  | { readonly action: 'pressButton'; readonly button: Button; readonly durationMs?: number | undefined }
  | { readonly action: 'rotate'; readonly orientation: Orientation }
  | { readonly action: 'reload' | 'toggleSoftwareKeyboard' | 'simulateMemoryWarning' }
  | {
      readonly action: 'scroll';
      readonly deltaX: number;
      readonly deltaY: number;
      /** An anchor: both or neither. */
      readonly x?: number | undefined;
      readonly y?: number | undefined;
    }
  | { readonly action: 'rotateDigitalCrown'; readonly delta: number }
  | { readonly action: 'setRenderDebug'; readonly option: RenderOption; readonly enabled: boolean };

/** An interaction with what every one may carry (specification, section 2.4). */
export type InteractionRequest = Action & {
  /** Correlation id; the same id again never has a second effect. Made up where it is absent. */
  readonly requestId?: string | undefined;
  /** Milliseconds from acceptance to the terminal acknowledgement, 100 to 60,000; 15,000 where absent. */
  readonly timeoutMs?: number | undefined;
};
