import type { ControlState } from '@runcloud/protocol';
import { button } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import type { Viewer } from '../viewer.ts';

/**
 * A card for each who asks for control, where the person decides: who has control, and the owner.
 *
 * @param mayDecideForOthers whether the owner may decide on this page also while another has control
 * @param say tells what came of a request, and of control
 */
export function controlCards(
  viewer: Viewer,
  mayDecideForOthers: boolean,
  say: (sentence: string) => void,
): HTMLElement {
  const cards = element('div', {
    class: 'requests',
    role: 'region',
    'aria-label': 'Requests for control',
    hidden: true,
  });
  const shown = new Map<string, HTMLElement>();
  let before = { isMine: false, isAsked: false };

  const card = ({ id, label }: ControlState['waiting'][number]): HTMLElement => {
    const decide = (step: 'grant' | 'deny') => () =>
      void viewer.askControl(step, id).then(({ error }) => error && say(error.message));
    return element(
      'div',
      { class: 'request', role: 'alert' },
      element('p', {}, element('strong', {}, label), ' asks for control.'),
      element(
        'div',
        { class: 'actions' },
        button('Grant', decide('grant'), {
          look: 'primary',
          attributes: { 'aria-label': `Grant control to ${label}` },
        }),
        button('Deny', decide('deny'), { attributes: { 'aria-label': `Deny control to ${label}` } }),
      ),
    );
  };
  const show = (): void => {
    const { control, state } = viewer;
    const decides = control.isMine || (mayDecideForOthers && control.isOwner);
    const asking = decides && state.kind === 'connected' ? control.state.waiting : [];
    const others = asking.filter(({ id }) => id !== control.own);
    for (const [id, made] of shown) {
      if (others.some((one) => one.id === id)) continue;
      made.remove();
      shown.delete(id);
    }
    for (const one of others) {
      if (shown.has(one.id)) continue;
      const made = card(one);
      shown.set(one.id, made);
      cards.append(made);
    }
    cards.hidden = others.length === 0;
  };
  const tell = (): void => {
    const { isMine, isAsked, other } = viewer.control;
    if (isMine && before.isAsked) say('You have control now.');
    else if (before.isMine && other !== undefined) say(`${other} has control now.`);
    else if (before.isAsked && !isAsked && !isMine && !withdrawn) say('Your request for control was not granted.');
    withdrawn = false;
    before = { isMine, isAsked };
  };
  let withdrawn = false;
  viewer.on('controlAsked', (step) => {
    withdrawn = step === 'release';
  });
  viewer.on('control', () => {
    show();
    tell();
  });
  viewer.on('state', show);
  return cards;
}
