import { turned } from '../input/rotation.ts';
import { typeText } from '../input/typed-text.ts';
import type { Viewer } from '../viewer.ts';
import { element } from './element.ts';
import { hardwareButtons } from './hardware-buttons.ts';
import type { LatencyPanel } from './latency-panel.ts';
import { recordButton } from './record-button.ts';
import { canCopyScreenshot, copyScreenshot, saveScreenshot } from './screenshot.ts';
import { TextDialog } from './text-dialog.ts';
import { toolButton } from './tool-button.ts';

export interface ToolbarParts {
  readonly viewer: Viewer;
  readonly latency: LatencyPanel;
  readonly say: (sentence: string) => void;
  /** Gives the keyboard back to the device. */
  readonly focusScreen: () => void;
}

/** Everything that a person can do besides touching: made anew when the session's role or abilities are known. */
export class Toolbar {
  readonly element = element('div', { class: 'tools', role: 'group', 'aria-label': 'Device controls' });
  readonly dialog: HTMLDialogElement;
  readonly #parts: ToolbarParts;
  readonly #text: TextDialog;
  #signature = '';

  constructor(parts: ToolbarParts) {
    this.#parts = parts;
    this.#text = new TextDialog((text) => this.#type(text));
    this.dialog = this.#text.element;
    parts.viewer.on('ready', (ready) => {
      // A resumed connection has the same: the focus stays where it is.
      const signature = JSON.stringify([ready.role, ready.capabilities]);
      if (signature === this.#signature) return;
      this.#signature = signature;
      this.element.replaceChildren(...this.#groups(ready.role === 'control'));
    });
  }

  focus(): void {
    this.element.querySelector('button')?.focus();
  }

  #groups(control: boolean): HTMLElement[] {
    const { viewer, say } = this.#parts;
    const groups = control ? [hardwareButtons(viewer, say), this.#rotation(), this.#typing()] : [];
    groups.push(this.#pictures(control), this.#page());
    return groups
      .filter((buttons) => buttons.length > 0)
      .map((buttons) => element('div', { class: 'group' }, ...buttons));
  }

  #act(action: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const { viewer, say } = this.#parts;
    void viewer.interact({ action, ...fields }).then(({ error }) => {
      if (error) say(error.message);
    });
  }

  #rotation(): HTMLButtonElement[] {
    const { viewer } = this.#parts;
    const turn = (direction: 'left' | 'right'): void => {
      const has = viewer.ready?.capabilities.orientations ?? [];
      this.#act('rotate', { orientation: turned(viewer.orientation, direction, has) });
    };
    return [
      toolButton('Rotate left', 'rotateLeft', () => turn('left')),
      toolButton('Rotate right', 'rotateRight', () => turn('right')),
    ];
  }

  #typing(): HTMLButtonElement[] {
    return [
      toolButton('Software keyboard', 'keyboard', () => this.#act('toggleSoftwareKeyboard')),
      toolButton('Type or paste text', 'paste', () => void this.#paste()),
    ];
  }

  #pictures(control: boolean): HTMLButtonElement[] {
    const { viewer, say } = this.#parts;
    const buttons = [toolButton('Save a screenshot', 'camera', () => void saveScreenshot(viewer).then(say))];
    if (canCopyScreenshot()) {
      buttons.push(toolButton('Copy a screenshot', 'copy', () => void copyScreenshot(viewer).then(say)));
    }
    if (control && viewer.ready?.capabilities.recording) buttons.push(recordButton(viewer, say));
    return buttons;
  }

  #page(): HTMLButtonElement[] {
    const { latency, say } = this.#parts;
    const meter = toolButton('Latency', 'meter', () => {
      latency.toggle();
      meter.setAttribute('aria-pressed', String(latency.shown));
    });
    meter.setAttribute('aria-pressed', String(latency.shown));
    if (!document.fullscreenEnabled) return [meter];
    const full = toolButton('Full screen', 'fullScreen', () => {
      const change = document.fullscreenElement
        ? document.exitFullscreen()
        : document.documentElement.requestFullscreen();
      change.catch(() => say('This browser does not let the page fill the screen.'));
    });
    return [meter, full];
  }

  /** Shows what would be typed before it is: a clipboard may hold anything. */
  async #paste(): Promise<void> {
    const text = await Promise.resolve(navigator.clipboard?.readText?.()).catch(() => undefined);
    this.#text.open(text ?? '');
  }

  #type(text: string): void {
    const { viewer, say, focusScreen } = this.#parts;
    focusScreen();
    void typeText(viewer, text).then(say);
  }
}
