import type { DeviceLocation, RouteProgress } from '@runcloud/protocol';
import { CAPABILITIES, type RenderOption } from '@runcloud/protocol/terms';
import type { Colour } from '../draw/colour.ts';
import type { Scene } from '../draw/scene.ts';
import type { Environment } from '../environment.ts';
import { contains, type Pixel, type Size } from '../geometry.ts';
import { USUAL_LOCALE } from '../locale.ts';
import { isLimited, limitsText } from '../network.ts';
import type { SavedSettings } from '../saved-state.ts';
import type { App, AppDefinition, TouchEvent } from './app.ts';
import { Press } from './press.ts';
import { ScrollView } from './scroll-view.ts';
import { layoutSettings, paintSettings, type RowOption, type Section } from './settings-view.ts';

const OPTION_NAMES: Readonly<Record<RenderOption, string>> = {
  colorBlendedLayers: 'Blended layers',
  colorCopiedImages: 'Copied images',
  colorMisalignedImages: 'Misaligned images',
  colorOffscreenRendered: 'Off-screen rendered',
  slowAnimations: 'Slow animations',
};

const ORIENTATION_NAMES = {
  portrait: 'Portrait',
  portrait_upside_down: 'Upside down',
  landscape_left: 'Landscape left',
  landscape_right: 'Landscape right',
} as const;

/**
 * The phone's model and state, with switches for dark mode and animations, for folding and for the render options where
 * the phone has them, and a row that asks for a face or finger.
 */
class Settings implements App {
  readonly id = 'settings';
  readonly immersive = false;
  readonly #environment: Environment;
  readonly #scroll: ScrollView;
  readonly #press: Press<RowOption>;
  #size: Size = { width: 1, height: 1 };
  #biometric: SavedSettings['biometric'];

  constructor(environment: Environment) {
    this.#environment = environment;
    this.#scroll = new ScrollView(environment);
    this.#press = new Press(environment.theme.px(10));
  }

  get background(): Colour {
    return this.#environment.theme.palette.grouped;
  }

  resize(size: Size): void {
    this.#size = size;
    this.#scroll.resize(this.#layout().contentHeight, size.height);
  }

  touch(event: TouchEvent): void {
    const at = event.points[0];
    this.#scroll.touch(event);
    if (event.phase === 'cancel') this.#press.cancel();
    else if (at && event.phase === 'begin') this.#press.begin(this.#optionAt(at), at);
    else if (at) this.#press.move(at);
    const option = event.phase === 'end' ? this.#press.end() : undefined;
    if (option) this.#toggle(option);
  }

  #toggle(option: RowOption): void {
    const { hinge, state, setRenderOption, setAnimations, setAppearance } = this.#environment;
    if (option === 'folded') hinge?.fold(!hinge.folded);
    else if (option === 'biometric') this.#says('waiting');
    else if (option === 'animations') setAnimations(!state.animations);
    else if (option === 'darkMode') setAppearance(state.appearance === 'dark' ? 'light' : 'dark');
    else setRenderOption(option, !state.renderOptions.has(option));
  }

  biometric(match: boolean): boolean {
    if (this.#biometric !== 'waiting') return false;
    this.#says(match ? 'match' : 'mismatch');
    return true;
  }

  #says(biometric: NonNullable<SavedSettings['biometric']>): void {
    this.#biometric = biometric;
    this.#environment.changed();
  }

  #optionAt(at: Pixel): RowOption | undefined {
    const inContent = { x: at.x, y: at.y + this.#scroll.offset() };
    return this.#layout().rows.find(({ area, row }) => row.option && contains(area, inContent))?.row.option;
  }

  scroll(_deltaX: number, deltaY: number): void {
    this.#scroll.scrollBy(deltaY);
  }

  animating(animationMs: number): boolean {
    return this.#scroll.animating(animationMs);
  }

  #layout() {
    return layoutSettings(this.#sections(), this.#size, this.#environment.theme);
  }

  #sections(): readonly Section[] {
    const { state, about, platform, hinge } = this.#environment;
    const options = CAPABILITIES[platform].renderOptions;
    const switches = options.map((option) => ({
      name: OPTION_NAMES[option],
      option,
      value: state.renderOptions.has(option),
    }));
    return [
      {
        title: 'Device',
        rows: [
          { name: 'Orientation', value: ORIENTATION_NAMES[state.orientation] },
          { name: 'Software keyboard', value: state.keyboardShown ? 'Shown' : 'Hidden' },
          { name: 'Volume', value: state.silent ? `${state.volume} of 16, silent` : `${state.volume} of 16` },
          { name: 'Memory warnings', value: String(state.memoryWarnings) },
          { name: 'Location', value: placeText(state.location) },
          ...(state.route ? [{ name: 'Route', value: routeText(state.route) }] : []),
          ...(isLimited(state.networkLimits) ? [{ name: 'Slow network', value: limitsText(state.networkLimits) }] : []),
          ...(hinge ? [{ name: 'Folded', option: 'folded', value: hinge.folded } as const] : []),
        ],
      },
      {
        title: 'Display',
        rows: [
          { name: 'Dark mode', option: 'darkMode', value: state.appearance === 'dark' },
          { name: 'Animations', option: 'animations', value: state.animations },
          ...(state.locale === USUAL_LOCALE ? [] : [{ name: 'Language', value: state.locale }]),
        ],
      },
      ...(switches.length > 0 ? [{ title: 'Rendering', rows: switches }] : []),
      {
        title: 'Security',
        rows: [
          {
            name: platform === 'ios' ? 'Face ID' : 'Fingerprint',
            option: 'biometric',
            value: this.#biometric ? BIOMETRIC_WORDS[this.#biometric] : 'Tap to try',
          },
        ],
      },
      {
        title: 'About',
        rows: [
          { name: 'Model', value: about.model },
          { name: 'System', value: about.system },
        ],
      },
    ];
  }

  paint(scene: Scene, animationMs: number, seen: Size): void {
    paintSettings(scene, seen, this.#environment.theme, this.#layout(), this.#scroll.offset(animationMs));
  }

  save(): SavedSettings {
    const biometric = this.#biometric;
    return { offset: this.#scroll.offset(), ...(biometric === undefined ? {} : { biometric }) };
  }

  restore({ offset, biometric }: SavedSettings): void {
    this.#biometric = biometric;
    this.#scroll.restore(offset);
  }

  inspect(): Readonly<Record<string, unknown>> {
    const { state, about } = this.#environment;
    return {
      orientation: state.orientation,
      keyboardShown: state.keyboardShown,
      renderOptions: [...state.renderOptions],
      memoryWarnings: state.memoryWarnings,
      location: state.location,
      route: state.route,
      biometric: this.#biometric,
      model: about.model,
      osVersion: about.system,
      offset: this.#scroll.offset(),
      switches: this.#layout()
        .rows.filter(({ row }) => typeof row.value === 'boolean')
        .map(({ row, area }) => ({
          option: row.option,
          x: area.x,
          y: area.y - this.#scroll.offset(),
          ...sizeOf(area),
        })),
    };
  }
}

function placeText(location: DeviceLocation | undefined): string {
  if (!location) return 'Off';
  const { latitude, longitude, altitudeM, accuracyM } = location;
  const height = altitudeM === undefined ? '' : `, ${altitudeM} m high`;
  return `${latitude}, ${longitude}${height}${accuracyM === undefined ? '' : `, ±${accuracyM} m`}`;
}

const routeText = ({ state, doneM, lengthM }: RouteProgress): string =>
  `${ROUTE_WORDS[state]}, ${Math.round(doneM)} of ${Math.round(lengthM)} m`;

const BIOMETRIC_WORDS = { waiting: 'Waiting', match: 'Recognised', mismatch: 'Not recognised' } as const;
const ROUTE_WORDS = { moving: 'Moving', arrived: 'Arrived', failed: 'Failed' } as const;

function sizeOf({ width, height }: Size): Size {
  return { width, height };
}

export const settings: AppDefinition = {
  id: 'settings',
  name: 'Settings',
  docked: true,
  create: (environment) => new Settings(environment),
};
