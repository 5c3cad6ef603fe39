import type { Button } from '@runcloud/protocol';
import { clamp } from '../geometry.ts';
import type { Timers } from '../timers.ts';
import { VOLUME_MAX } from './hud.ts';
import type { Shell } from './shell.ts';

/** A power or side button that is held this long opens the power menu or the assistant. */
const POWER_HOLD_MS = 1000;
/** The same for every other button with a long press, and the delay before a held volume button repeats. */
const HOLD_MS = 500;
/** A held volume button repeats at this interval. */
const REPEAT_MS = 100;

/** They do nothing on the lock screen. */
const OF_APPS: readonly Button[] = ['back', 'appSwitcher', 'recents', 'menu'];

interface Held {
  readonly atMs: number;
  /** True if the press has had its effect already, so that the release has none. */
  done: boolean;
}

/** The effects of the phone's hardware buttons when they are pressed, held and released. */
export class HardwareButtons {
  readonly #shell: Shell;
  readonly #timers: Timers;
  readonly #held = new Map<Button, Held>();

  constructor(shell: Shell, timers: Timers) {
    this.#shell = shell;
    this.#timers = timers;
  }

  get held(): readonly Button[] {
    return [...this.#held.keys()];
  }

  down(button: Button): void {
    if (this.#held.has(button)) return;
    const { environment } = this.#shell;
    environment.log('button', { button, phase: 'down' });
    const held: Held = { atMs: environment.nowMs(), done: false };
    this.#held.set(button, held);
    if (button === 'volumeUp' || button === 'volumeDown') return this.#volume(button, HOLD_MS);
    if (!this.#shell.state.screenOn) {
      held.done = true;
      if (button === 'power' || button === 'sideButton' || button === 'home') this.#shell.setScreen(true);
      return;
    }
    this.#press(button, held);
  }

  #press(button: Button, held: Held): void {
    const shell = this.#shell;
    if (shell.state.locked && OF_APPS.includes(button)) return;
    const onHold = (delayMs: number, task: () => void) => {
      this.#timers.set(`hold ${button}`, delayMs, () => {
        held.done = true;
        task();
      });
    };
    switch (button) {
      case 'power':
        return onHold(POWER_HOLD_MS, () => shell.openOverlay('powerMenu'));
      case 'sideButton':
        return onHold(POWER_HOLD_MS, () => shell.openOverlay('assistant'));
      case 'actionButton':
        return onHold(HOLD_MS, () => shell.open('notes'));
      case 'home':
        if (shell.environment.platform === 'android') return onHold(HOLD_MS, () => shell.openOverlay('assistant'));
        return shell.goHome();
      case 'back':
        return shell.back();
      case 'appSwitcher':
      case 'recents':
        return shell.toggleSwitcher();
      case 'menu':
        return shell.state.overlay === 'menu' ? shell.dismissOverlay() : shell.openOverlay('menu');
      default:
        return;
    }
  }

  #volume(button: 'volumeUp' | 'volumeDown', repeatMs: number): void {
    const { state, hud } = this.#shell;
    state.volume = clamp(state.volume + (button === 'volumeUp' ? 1 : -1), 0, VOLUME_MAX);
    hud.show('volume');
    this.#timers.set(`hold ${button}`, repeatMs, () => this.#volume(button, REPEAT_MS));
  }

  up(button: Button): void {
    const held = this.#lift(button);
    if (!held) return;
    const { environment, front } = this.#shell;
    environment.log('button', { button, phase: 'up' });
    if (this.#shell.isUsable) front?.button?.(button, environment.nowMs() - held.atMs);
    if (!held.done) this.#release(button);
    environment.changed();
  }

  /** The effect of a short press of a button that could also have been held. */
  #release(button: Button): void {
    const { hud, environment } = this.#shell;
    if (button === 'power' || button === 'sideButton') this.#shell.setScreen(false);
    else if (button === 'home' && environment.platform === 'android') this.#shell.goHome();
    else if (button === 'actionButton') {
      this.#shell.toggleSilent();
      hud.show('silent');
    }
  }

  /** Releases all buttons without the effects of a short press. */
  releaseAll(): void {
    for (const button of this.held) this.#lift(button);
  }

  #lift(button: Button): Held | undefined {
    const held = this.#held.get(button);
    this.#held.delete(button);
    this.#timers.clear(`hold ${button}`);
    return held;
  }
}
