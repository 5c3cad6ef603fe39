import { element } from '../../page/element.ts';
import { type IconName, icon } from '../../page/icons.ts';

/** A toolbar button: an icon and its name, which is a tool tip where there is no room for words. */
export function toolButton(name: string, picture: IconName, act: (heldMs: number) => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'tool', 'aria-label': name });
  renameTool(button, name, picture);
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
export function renameTool(button: HTMLButtonElement, name: string, picture: IconName, words = name): void {
  button.title = name;
  button.setAttribute('aria-label', name);
  button.replaceChildren(icon(picture), element('span', {}, words));
}
