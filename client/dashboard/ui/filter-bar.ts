import type { SessionRecord } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import { element } from '../../page/element.ts';

/** Time without a key stroke before a search runs. */
const PAUSE_MS = 250;

export interface FilterBar {
  readonly element: HTMLElement;
  /** Whether a session, in a state as the list tells it, is what the user looks for. */
  fits(session: SessionRecord, state: string): boolean;
}

/**
 * Searches a list by text (in label, name or id), platform and state.
 * @param states the values of a state and their words
 */
export function filterBar(states: readonly (readonly [string, string])[], onChange: () => void): FilterBar {
  const search = element('input', { type: 'search', placeholder: 'Label, model or id', 'aria-label': 'Search' });
  const platform = select('Platform', [['', 'Every platform'], ...Object.entries(PLATFORM_NAMES)]);
  const state = select('State', [['', 'Every state'], ...states]);
  let timer = 0;
  search.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(onChange, PAUSE_MS);
  });
  for (const one of [platform, state]) one.addEventListener('change', onChange);
  return {
    element: element('div', { class: 'filters', role: 'search' }, search, platform, state),
    fits: (session, itsState) => {
      if (platform.value !== '' && session.platform !== platform.value) return false;
      if (state.value !== '' && itsState !== state.value) return false;
      const words = Object.entries(session.labels).map(([name, value]) => `${name}: ${value}`);
      const text = [session.id, session.device.model, ...words].join('\n').toLowerCase();
      return text.includes(search.value.trim().toLowerCase());
    },
  };
}

function select(name: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
  const items = options.map(([value, text]) => element('option', { value }, text));
  return element('select', { 'aria-label': name }, ...items);
}
