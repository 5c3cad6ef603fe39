import type { Event, SessionRecord } from '@runcloud/protocol';
import { element } from '../../page/element.ts';
import { endingText } from '../ui/session-words.ts';
import { clockTime, count, span } from '../ui/words.ts';
import { RECORDING_STATUS } from './recording-row.ts';

/** Older lines go, so that a page that stays open for a day does not grow. */
const LINES_MAX = 200;

/** Lines of what happens in a session, newest first: its beginning and end, and its events while the page is open. */
export class SessionHistory {
  readonly element = element('ol', { class: 'rows history', 'aria-label': 'History' });

  constructor({ createdAt, releasedAt, releaseReason }: SessionRecord) {
    this.#line(createdAt, 'Created');
    if (releasedAt !== undefined) this.#line(releasedAt, endingText(releaseReason));
  }

  add(event: Event): void {
    const now = new Date().toISOString();
    this.#line(now, sentenceOf(event));
    if (this.element.childElementCount > LINES_MAX) this.element.lastElementChild?.remove();
  }

  #line(at: string, words: string): void {
    const time = element('time', { datetime: at, class: 'quiet' }, clockTime(at));
    this.element.prepend(element('li', { class: 'row' }, time, element('span', { class: 'main' }, words)));
  }
}

function sentenceOf(event: Event): string {
  switch (event.event) {
    case 'session.expiring':
      return `Ends in ${span(event.inMs)}`;
    case 'session.ended':
      return endingText(event.reason);
    case 'orientation':
      return `Turned to ${event.orientation.replaceAll('_', ' ')}`;
    case 'displays':
      return `The displays changed: ${count(event.displays.length, 'display')}`;
    case 'clipboard':
      return 'The clipboard changed';
    case 'crash':
      return `Crashed: ${event.process}`;
    case 'control': {
      const { holder } = event.control;
      return holder ? `Has control: ${holder.label}` : 'Nobody has control: everybody may send input';
    }
    case 'recording':
      return `Recording: ${RECORDING_STATUS[event.recording.status].toLowerCase()}`;
    case 'viewers':
      return `Connected: ${event.viewers.control} in control, ${event.viewers.view} watching`;
  }
}
