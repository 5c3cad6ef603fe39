import { element } from '../../page/element.ts';

/** A row of a list: a name, facts about it, and what can be done with it. */
export function row(
  id: string,
  name: string,
  facts: readonly string[],
  action: HTMLElement,
  { faded = false } = {},
): HTMLElement {
  return element(
    'li',
    { class: `row${faded ? ' faded' : ''}`, 'data-id': id },
    element(
      'div',
      { class: 'main' },
      element('strong', {}, name),
      element('span', { class: 'quiet' }, facts.join(' · ')),
    ),
    action,
  );
}
