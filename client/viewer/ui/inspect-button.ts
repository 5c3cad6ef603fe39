import type { Inspector } from '../inspector/inspector.ts';
import { toolButton } from './tool-button.ts';

/** Turns the inspector on and off, and shows which. */
export function inspectButton(inspector: Inspector): HTMLButtonElement {
  const made = toolButton('Inspect', 'inspect', () => inspector.toggle());
  const show = (): void => made.setAttribute('aria-pressed', String(inspector.isOn));
  // The tools are made anew when the role changes; a button that is gone needs to show nothing.
  const forget = inspector.on('toggled', () => (made.isConnected ? show() : forget()));
  show();
  return made;
}
