import { type Attributes, element } from './element.ts';
import { type IconName, icon } from './icons.ts';

interface ButtonOptions {
  readonly look?: 'primary' | 'danger' | 'plain';
  readonly icon?: IconName;
  readonly attributes?: Attributes;
}

export function button(label: string, onClick: () => void, options: ButtonOptions = {}): HTMLButtonElement {
  const { look, attributes } = options;
  const parts = options.icon === undefined ? [label] : [icon(options.icon), label];
  const made = element('button', { type: 'button', class: `button ${look ?? ''}`, ...attributes }, ...parts);
  made.addEventListener('click', onClick);
  return made;
}

/** While `work` lasts the button says `busyLabel` and cannot be pressed again; its width stays. */
export async function whileBusy(
  pressed: HTMLButtonElement,
  busyLabel: string,
  work: () => Promise<void>,
): Promise<void> {
  const label = [...pressed.childNodes];
  pressed.style.minWidth = `${pressed.offsetWidth}px`;
  pressed.disabled = true;
  pressed.replaceChildren(busyLabel);
  try {
    await work();
  } finally {
    pressed.disabled = false;
    pressed.replaceChildren(...label);
    pressed.style.minWidth = '';
  }
}
