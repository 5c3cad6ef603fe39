import { element } from '../../page/element.ts';

/** The outcome of an input; one that was completed needs no colour. */
export const outcomeChip = (status: string): HTMLElement =>
  element('span', { class: `chip ${status}` }, status.replaceAll('_', ' '));
