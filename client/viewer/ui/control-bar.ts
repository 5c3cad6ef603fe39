import { button } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import type { ControlStep, Viewer } from '../viewer.ts';

/** What one can ask: a word, the rest of the sentence, for which a narrow page has no room, and the step. */
type Way = readonly [word: string, rest: string, step: ControlStep];

/**
 * Who has control, in the line on top, and a button to ask for it. It is there while somebody has control, or others could send
 * input as well.
 *
 * @param mayTake whether the person may take control without being asked: a page that frames this one could lead to that
 * @param say tells why the service refuses
 */
export function controlBar(viewer: Viewer, mayTake: boolean, say: (sentence: string) => void): HTMLElement {
  const who = element('span', { class: 'who' });
  const bar = element('div', { class: 'control', role: 'status', hidden: true });
  let controllers = 0;
  let shown = '';

  const way = ([word, rest, step]: Way): HTMLElement => {
    const ask = () => void viewer.askControl(step).then(({ error }) => error && say(error.message));
    const made = button(word, ask, { attributes: { 'aria-label': `${word} ${rest}` } });
    made.append(element('span', {}, ` ${rest}`));
    return made;
  };
  const show = (): void => {
    const { control, state } = viewer;
    const { other, isMine, isAsked } = control;
    bar.hidden = state.kind === 'ended' || !(isMine || other !== undefined || (control.mayAsk && controllers > 1));
    const words = isMine ? 'You have control' : other === undefined ? '' : `${other} has control`;
    const ways: Way[] = [];
    if (isMine) ways.push(['Give up', 'control', 'release']);
    else if (isAsked) ways.push(['Withdraw', 'request', 'release']);
    else if (control.mayAsk)
      ways.push(other === undefined ? ['Get', 'control', 'request'] : ['Ask', 'for control', 'request']);
    if (other !== undefined && mayTake && control.isOwner) ways.push(['Take', 'control', 'take']);
    // What stays the same keeps the focus.
    const now = JSON.stringify([words, ways]);
    if (now === shown) return;
    shown = now;
    who.textContent = words;
    who.hidden = words === '';
    who.classList.toggle('mine', isMine);
    bar.replaceChildren(who, ...ways.map(way));
  };
  viewer.on('control', show);
  viewer.on('state', show);
  viewer.on('event', (event) => {
    if (event.event !== 'viewers') return;
    controllers = event.viewers.control;
    show();
  });
  return bar;
}
