import type { SessionRecord } from '@runcloud/protocol';
import { PLATFORM_NAMES } from '../../../protocol/platforms.ts';
import { button } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import { sessionName, sessionPath } from '../ui/session-words.ts';
import { span } from '../ui/words.ts';

/** One live session. It is made once and updated in place, so that nothing jumps and the focus stays. */
export class SessionCard {
  readonly element: HTMLElement;
  readonly #picture = element('img', { alt: '', hidden: true });
  readonly #time = element('span', { class: 'quiet' });
  readonly #labels = element('p', { class: 'labels' });
  readonly #screen = element('span', { class: 'screen' }, this.#picture);
  #picked = '';

  constructor(session: SessionRecord, onLinks: () => void, onRelease: () => void) {
    const { device, platform, url } = session;
    const name = `${PLATFORM_NAMES[platform]} session ${sessionName(session)}`;
    const open = { href: url, target: '_blank', rel: 'noopener' };
    const links = button('Links', onLinks, { attributes: { 'aria-label': `Links to the ${name}` } });
    const release = button('Release', onRelease, {
      attributes: { 'aria-label': `Release the ${name}` },
    });
    this.element = element(
      'li',
      { class: 'card session', 'data-session': session.id },
      element('a', { ...open, class: 'stage', 'aria-label': `Open the ${name}` }, this.#screen),
      element(
        'div',
        { class: 'card-text' },
        element('h2', {}, element('a', { href: sessionPath(session.id) }, sessionName(session))),
        element('p', { class: 'facts' }, `${PLATFORM_NAMES[platform]} ${device.osVersion}`, ' · ', this.#time),
        this.#labels,
        element(
          'div',
          { class: 'actions card-actions' },
          element('a', { ...open, class: 'button primary', 'aria-label': `Open the ${name} in the viewer` }, 'Open'),
          links,
          release,
        ),
      ),
    );
    this.#screen.append(icon('phone'));
    this.update(session);
  }

  update({ device, orientation, expiresAt, labels }: SessionRecord): void {
    const upright = orientation === 'portrait' || orientation === 'portrait_upside_down';
    const [width, height] = upright ? [device.width, device.height] : [device.height, device.width];
    this.#screen.style.aspectRatio = `${width} / ${height}`;
    this.#screen.classList.toggle('lying', !upright);
    const left = `ends in ${span(Date.parse(expiresAt) - Date.now())}`;
    if (this.#time.textContent !== left) this.#time.textContent = left;
    this.#labels.replaceChildren(
      ...Object.entries(labels).map(([name, value]) => element('span', { class: 'chip' }, `${name}: ${value}`)),
    );
  }

  /** Shows a newer picture of the screen. */
  show(picture: Blob): void {
    const former = this.#picked;
    this.#picked = URL.createObjectURL(picture);
    this.#picture.onload = () => {
      this.#picture.hidden = false;
      URL.revokeObjectURL(former);
    };
    this.#picture.src = this.#picked;
  }

  dispose(): void {
    URL.revokeObjectURL(this.#picked);
    this.element.remove();
  }
}
