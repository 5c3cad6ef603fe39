import type { Key, Modifier } from '@runcloud/protocol';
import type { Shell } from './shell.ts';

interface HeldKey {
  readonly modifiers: readonly Modifier[];
  readonly atMs: number;
}

/** A hardware keyboard. A key acts when it goes down; when it comes up, the app learns how long it was held. */
export class HardwareKeys {
  readonly #shell: Shell;
  readonly #held = new Map<Key, HeldKey>();

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  get held(): readonly Key[] {
    return [...this.#held.keys()];
  }

  /** Modifiers of all held keys. */
  get modifiers(): readonly Modifier[] {
    return [...new Set([...this.#held.values()].flatMap((key) => key.modifiers))];
  }

  down(key: Key, modifiers: readonly Modifier[]): void {
    const { state, environment, focus } = this.#shell;
    environment.log('key', { key, modifiers, phase: 'down' });
    if (!this.#shell.isUsable) return;
    this.#held.set(key, { modifiers: [...modifiers], atMs: environment.nowMs() });
    state.shiftHeld = this.modifiers.includes('shift');
    if (key === 'capsLock' && environment.platform === 'ios') state.capsLock = !state.capsLock;
    if (!state.overlay) focus?.keyDown?.({ key, modifiers });
    else if (key === 'escape') this.#shell.dismissOverlay();
    environment.changed();
  }

  up(key: Key, modifiers: readonly Modifier[]): void {
    const held = this.#held.get(key);
    if (!held) return;
    const { state, environment, focus } = this.#shell;
    this.#held.delete(key);
    state.shiftHeld = this.modifiers.includes('shift');
    const heldMs = environment.nowMs() - held.atMs;
    environment.log('key', { key, modifiers, phase: 'up', heldMs: Math.round(heldMs) });
    if (this.#shell.isUsable) focus?.keyUp?.({ key, modifiers: held.modifiers }, heldMs);
    environment.changed();
  }

  releaseAll(): void {
    for (const [key, { modifiers }] of [...this.#held]) this.up(key, modifiers);
  }
}
