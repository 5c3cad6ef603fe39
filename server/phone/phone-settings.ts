import type { Network } from '@runcloud/protocol';
import type { PhoneState } from './environment.ts';
import { hasLocale } from './locale.ts';
import type { NetworkLimits } from './network.ts';
import type { EventLog } from './system/event-log.ts';
import { type Appearance, TEXT_SCALES } from './theme.ts';

export interface PhoneSettingsOptions {
  readonly state: PhoneState;
  readonly log: Pick<EventLog, 'add'>;
  readonly changed: () => void;
  /** Everything has to find its place anew. */
  readonly relayout: () => void;
}

/** What can be set of a phone, beside what its own Settings switch. */
export class PhoneSettings {
  readonly #options: PhoneSettingsOptions;

  constructor(options: PhoneSettingsOptions) {
    this.#options = options;
  }

  get animations(): boolean {
    return this.#state.animations;
  }

  get appearance(): Appearance {
    return this.#state.appearance;
  }

  get textScale(): number {
    return this.#state.textScale;
  }

  get locale(): string {
    return this.#state.locale;
  }

  get network(): Network {
    return this.#state.network;
  }

  get networkLimits(): NetworkLimits {
    return this.#state.networkLimits;
  }

  /** Without animations everything is at its end at once, also what is on its way. Apps go on playing what they show. */
  setAnimations(enabled: boolean): void {
    this.#state.animations = enabled;
    this.#changed('animations', { enabled });
  }

  /** Draws everything in the colours of an appearance. */
  setAppearance(appearance: Appearance): void {
    this.#state.appearance = appearance;
    this.#changed('appearance', { appearance });
  }

  /** Draws text as a multiple of its usual size, as far as there is room for it. */
  setTextScale(textScale: number): void {
    this.#state.textScale = Math.min(TEXT_SCALES.max, Math.max(TEXT_SCALES.min, textScale));
    this.#options.log.add('text scale', { textScale });
    this.#options.relayout();
  }

  /** Whether the phone has the words of a locale. */
  hasLocale(locale: string): boolean {
    return hasLocale(locale);
  }

  /** Writes dates as a locale has them, which the phone has. */
  setLocale(locale: string): void {
    this.#state.locale = locale;
    this.#changed('locale', { locale });
  }

  /** Connects the phone, or cuts it off: pages that are shown stay, and others cannot be reached. */
  setNetwork(network: Network): void {
    this.#state.network = network;
    this.#changed('network', { network });
  }

  /** Makes the network slow: pages that are asked for from now on take their time. */
  limitNetwork(limits: Partial<NetworkLimits>): void {
    this.#state.networkLimits = { ...this.#state.networkLimits, ...limits };
    this.#changed('network limits', limits);
  }

  get #state(): PhoneState {
    return this.#options.state;
  }

  #changed(what: string, detail: unknown): void {
    this.#options.log.add(what, detail);
    this.#options.changed();
  }
}
