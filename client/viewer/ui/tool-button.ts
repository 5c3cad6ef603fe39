import { element } from './element.ts';
import { type IconName, icon } from './icons.ts';

/** A toolbar button: an icon with its name, which is also its tool tip. */
export function toolButton(name: string, picture: IconName, act: (heldMs: number) => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'tool', 'aria-label': name, title: name }, icon(picture));
  let downAt: number | undefined;
  button.addEventListener('pointerdown', ({ timeStamp }) => {
    downAt = timeStamp;
  });
  button.addEventListener('click', ({ timeStamp }) => {
    const heldMs = downAt === undefined ? 0 : timeStamp - downAt;
    downAt = undefined;
    act(heldMs);
  });
  return button;
}

/** Changes what a button is, for those that toggle. */
export function renameTool(button: HTMLButtonElement, name: string, picture: IconName): void {
  button.title = name;
  button.setAttribute('aria-label', name);
  button.replaceChildren(icon(picture));
}
