import type { Api } from '../../page/api.ts';
import { element } from '../../page/element.ts';
import { turned } from '../input/rotation.ts';
import type { Inspector } from '../inspector/inspector.ts';
import type { Viewer } from '../viewer.ts';
import { copyFromDevice } from './device-clipboard.ts';
import type { DeviceFrame } from './device-frame.ts';
import { hardwareButtons } from './hardware-buttons.ts';
import { inspectButton } from './inspect-button.ts';
import type { LatencyPanel } from './latency-panel.ts';
import { askForUrl } from './open-url-dialog.ts';
import { recordButton } from './record-button.ts';
import { canCopyScreenshot, copyScreenshot, saveScreenshot } from './screenshot.ts';
import { showShortcuts } from './shortcuts.ts';
import { renameTool, toolButton } from './tool-button.ts';

export interface ToolbarParts {
  readonly viewer: Viewer;
  readonly api: Api | undefined;
  readonly frame: DeviceFrame;
  readonly latency: LatencyPanel;
  readonly inspector: Inspector;
  readonly say: (sentence: string) => void;
  /** Opens the dialog for a text. */
  readonly openText: (text: string) => void;
}

/** Everything that a person can do besides touching: made anew when the session's role or abilities are known. */
export class Toolbar {
  readonly element = element('div', { class: 'tools', role: 'group', 'aria-label': 'Tools' });
  readonly #parts: ToolbarParts;
  #signature = '';

  constructor(parts: ToolbarParts) {
    this.#parts = parts;
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
    const groups: (readonly [string, HTMLButtonElement[]])[] = control
      ? [
          ['Buttons of the device', [...hardwareButtons(viewer, say), ...this.#rotation()]],
          ['Text and addresses', this.#typing()],
        ]
      : [];
    groups.push(['Pictures and recordings', this.#pictures(control)], ['Page', this.#page()]);
    return groups
      .filter(([, buttons]) => buttons.length > 0)
      .map(([name, buttons]) => element('div', { class: 'group', role: 'group', 'aria-label': name }, ...buttons));
  }

  #act(action: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const { viewer, say } = this.#parts;
    void viewer.act({ action, ...fields }).then(({ error }) => {
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
    const { viewer, say } = this.#parts;
    const buttons = [
      toolButton('Software keyboard', 'keyboard', () => this.#act('toggleSoftwareKeyboard')),
      toolButton('Insert text', 'paste', () => void this.#paste()),
    ];
    if (viewer.ready?.capabilities.clipboard) {
      buttons.push(toolButton('Copy from device', 'copyOut', () => void copyFromDevice(viewer).then(say)));
    }
    if (viewer.ready?.capabilities.openUrl) buttons.push(toolButton('Open URL', 'link', () => void askForUrl(viewer)));
    return buttons;
  }

  #pictures(control: boolean): HTMLButtonElement[] {
    const { viewer, say, api } = this.#parts;
    const buttons = [toolButton('Screenshot', 'camera', () => void saveScreenshot(viewer).then(say))];
    if (canCopyScreenshot()) {
      buttons.push(toolButton('Copy screenshot', 'copy', () => void copyScreenshot(viewer).then(say)));
    }
    if (control && viewer.ready?.capabilities.recording) buttons.push(recordButton(viewer, say, api));
    return buttons;
  }

  #page(): HTMLButtonElement[] {
    const { viewer, latency, frame, inspector, say } = this.#parts;
    const inspect = viewer.ready?.capabilities.ui ? [inspectButton(inspector)] : [];
    const meter = toolButton('Latency', 'meter', () => {
      latency.toggle();
      meter.setAttribute('aria-pressed', String(latency.shown));
    });
    meter.setAttribute('aria-pressed', String(latency.shown));
    const size = toolButton('Actual size', 'actualSize', () => {
      frame.scale = frame.scale === 'fit' ? 1 / devicePixelRatio : 'fit';
      showSize();
    });
    const showSize = (): void => {
      if (frame.scale === 'fit') renameTool(size, 'Actual size', 'actualSize');
      else renameTool(size, 'Fit to window', 'fit');
    };
    showSize();
    const shortcuts = toolButton('Shortcuts', 'shortcuts', () => void showShortcuts());
    if (!document.fullscreenEnabled) return [...inspect, meter, size, shortcuts];
    const full = toolButton('Full screen', 'fullScreen', () => {
      const change = document.fullscreenElement
        ? document.exitFullscreen()
        : document.documentElement.requestFullscreen();
      change.catch(() => say('This browser does not let the page fill the screen.'));
    });
    return [...inspect, meter, size, full, shortcuts];
  }

  /** Shows the text before it is sent: a clipboard may hold anything. */
  async #paste(): Promise<void> {
    const text = await Promise.resolve(navigator.clipboard?.readText?.()).catch(() => undefined);
    this.#parts.openText(text ?? '');
  }
}
