import { button } from '../../page/button.ts';
import { element } from '../../page/element.ts';
import type { Inspector } from '../../viewer/inspector/inspector.ts';
import type { Context } from '../view.ts';

/** The inspector of a session's live picture: a button that turns it on, and a place for its list. */
export function inspectorOf({ say }: Pick<Context, 'say'>) {
  let inspector: Inspector | undefined;
  const toggle = button('Inspect', () => inspector?.toggle(), {
    attributes: { 'aria-pressed': 'false', hidden: true },
  });
  const place = element('div', { class: 'inspector-place' });
  const offered = (made: Inspector): void => {
    inspector = made;
    toggle.hidden = false;
    place.replaceChildren(made.panel);
    made.on('toggled', (isOn) => {
      toggle.setAttribute('aria-pressed', String(isOn));
      if (!isOn && place.contains(document.activeElement)) toggle.focus();
    });
  };
  return { button: toggle, place, say, offered };
}
