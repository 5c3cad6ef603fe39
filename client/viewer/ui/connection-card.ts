import type { ConnectionState } from '../../core/connection.ts';
import type { Api } from '../../page/api.ts';
import { button, whileBusy } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import { failureBox } from '../../page/notice.ts';
import type { Ending } from '../connection/ending.ts';
import { startAgain } from '../owner/session-actions.ts';
import type { Viewer } from '../viewer.ts';

/** A connection that comes quickly needs no card: it would only flicker. */
const PATIENCE_MS = 400;

/**
 * A card over the screen while there is no connection: the reason, the time of the next attempt, and a way on.
 *
 * @param api absent where nobody is signed in
 */
export function connectionCard(viewer: Viewer, api: Api | undefined): HTMLElement {
  const spinner = element('i', { class: 'spinner', 'aria-hidden': 'true' });
  const title = element('h2');
  const detail = element('p');
  const actions = element('div', { class: 'actions' });
  const card = element('div', { class: 'card', role: 'alert', hidden: true }, spinner, title, detail, actions);
  let timer: ReturnType<typeof setTimeout> | undefined;

  const say = (heading: string, sentence: string, ...ways: HTMLElement[]): void => {
    title.textContent = heading;
    detail.textContent = sentence;
    actions.replaceChildren(...ways);
  };
  const show = (state: ConnectionState<Ending>): void => {
    spinner.hidden = state.kind === 'ended';
    const isLost = state.kind === 'connected' && viewer.liveness === 'lost';
    if (state.kind === 'waiting') {
      const seconds = Math.ceil(state.forMs / 1_000);
      const when = seconds > 1 ? `Trying again in ${seconds} seconds.` : 'Trying again now.';
      const now = button('Try now', () => viewer.open(), { look: 'primary' });
      say('Connection lost', when, ...(seconds > 1 ? [now] : []));
    } else if (state.kind === 'ended') {
      say(state.ending.title, state.ending.detail, ...waysOn(state.ending));
    } else if (isLost) {
      say('Connection lost', 'The service does not answer. Your input is not sent until it does.');
    } else if (state.kind === 'connecting' && state.attempt > 0) {
      say('Connection lost', 'Connecting again.');
    } else {
      say('Connecting', 'The device will be here in a moment.');
    }
    card.hidden = state.kind === 'connected' && !isLost;
  };
  const waysOn = ({ retry }: Ending): HTMLElement[] => {
    if (retry) return [button('Reload the page', () => location.reload(), { look: 'primary' })];
    const session = viewer.ready?.session;
    if (!api || !session) return [];
    const again = button('New session like this one', () => void whileBusy(again, 'Starting the device…', start), {
      look: 'primary',
    });
    const start = async () => {
      try {
        await startAgain(api, session);
      } catch (error) {
        detail.replaceChildren(failureBox(error));
      }
    };
    const page = `/dashboard/sessions/${session.id}`;
    return [again, element('a', { class: 'button', href: page }, 'Recordings and history')];
  };

  viewer.on('state', (state) => {
    clearTimeout(timer);
    if (state.kind === 'connected' || state.kind === 'ended') show(state);
    else timer = setTimeout(show, card.hidden ? PATIENCE_MS : 0, state);
  });
  viewer.on('liveness', () => {
    if (viewer.state.kind === 'connected') show(viewer.state);
  });
  return card;
}
