import type { ConnectionState } from '../../core/connection.ts';
import type { Ending } from '../connection/ending.ts';
import type { Viewer } from '../viewer.ts';
import { element } from './element.ts';

/** A connection that comes quickly needs no card: it would only flicker. */
const PATIENCE_MS = 400;

/** A card over the screen while there is no connection: the reason, the time of the next attempt, and what the user can do. */
export function connectionCard(viewer: Viewer): HTMLElement {
  const spinner = element('i', { class: 'spinner', 'aria-hidden': 'true' });
  const title = element('h2');
  const detail = element('p');
  const action = element('button', { type: 'button', class: 'primary' });
  const card = element('div', { class: 'card', role: 'alert', hidden: true }, spinner, title, detail, action);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAction = (): void => undefined;
  action.addEventListener('click', () => onAction());

  const say = (heading: string, sentence: string, button = '', act = (): void => undefined): void => {
    title.textContent = heading;
    detail.textContent = sentence;
    action.textContent = button;
    action.hidden = button === '';
    onAction = act;
  };
  const show = (state: ConnectionState<Ending>): void => {
    spinner.hidden = state.kind === 'ended';
    if (state.kind === 'waiting') {
      const seconds = Math.ceil(state.forMs / 1_000);
      const when = seconds > 1 ? `Trying again in ${seconds} seconds.` : 'Trying again now.';
      say('Connection lost', when, seconds > 1 ? 'Try now' : '', () => viewer.open());
    } else if (state.kind === 'ended') {
      const { ending } = state;
      say(ending.title, ending.detail, ending.retry ? 'Reload the page' : '', () => location.reload());
    } else {
      say('Connecting', 'The device will be here in a moment.');
    }
    card.hidden = state.kind === 'connected';
  };

  viewer.on('state', (state) => {
    clearTimeout(timer);
    if (state.kind === 'connected' || state.kind === 'ended') show(state);
    else timer = setTimeout(show, card.hidden ? PATIENCE_MS : 0, state);
  });
  return card;
}
