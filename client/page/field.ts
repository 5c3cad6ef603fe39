import { type Attributes, element } from './element.ts';

let fields = 0;

/** A labelled input; the hint is read with it. */
export function field(
  label: string,
  attributes: Attributes,
  hint?: string,
): { row: HTMLElement; input: HTMLInputElement } {
  const id = `field-${++fields}`;
  const input = element('input', {
    id,
    ...(hint === undefined ? {} : { 'aria-describedby': `${id}-hint` }),
    ...attributes,
  });
  const row = element('div', { class: 'field' }, element('label', { for: id }, label), input);
  if (hint !== undefined) row.append(element('p', { id: `${id}-hint`, class: 'hint' }, hint));
  return { row, input };
}

/** A labelled choice; the first option is chosen unless `chosen` names another. */
export function choice(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen?: string,
): { row: HTMLElement; select: HTMLSelectElement } {
  const id = `field-${++fields}`;
  const items = options.map(([value, text]) => element('option', { value, selected: value === chosen }, text));
  const select = element('select', { id }, ...items);
  return { row: element('div', { class: 'field' }, element('label', { for: id }, label), select), select };
}
