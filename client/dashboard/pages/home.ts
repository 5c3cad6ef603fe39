import { routeTo } from '../../../protocol/routes/address.ts';
import { element } from '../../page/element.ts';
import { icon } from '../../page/icons.ts';
import { failureBox } from '../../page/notice.ts';
import { page } from '../ui/page.ts';
import type { View } from '../view.ts';

const PHONES = [
  ['ios', 'iPhone', 'A phone with iOS'],
  ['android', 'Android phone', 'A phone with Android'],
] as const;

/** The start: one click to a phone. */
export const homePage: View = ({ api, leaving }) => {
  const failure = element('div', {});
  const start = async (platform: (typeof PHONES)[number][0], pressed: HTMLButtonElement) => {
    failure.replaceChildren();
    pressed.setAttribute('aria-busy', 'true');
    for (const each of phones) each.disabled = true;
    try {
      const { url } = await api.ask(routeTo('POST /service/sessions'), { body: { platform } });
      if (!leaving.aborted) location.assign(url);
    } catch (error) {
      failure.replaceChildren(failureBox(error));
    } finally {
      pressed.removeAttribute('aria-busy');
      for (const each of phones) each.disabled = false;
    }
  };
  const phones = PHONES.map(([platform, name, text]) => {
    const phone = element(
      'button',
      { type: 'button', class: 'start' },
      icon('phone'),
      element('strong', {}, name),
      element('span', { class: 'quiet' }, text),
    );
    phone.addEventListener('click', () => void start(platform, phone));
    return phone;
  });
  // A user who comes back by the browser's own way finds the buttons as they were.
  window.addEventListener('pageshow', () => failure.replaceChildren(), { signal: leaving });
  return page(
    'Start a phone',
    [],
    element('div', { class: 'starts' }, ...phones),
    failure,
    element(
      'p',
      { class: 'quiet' },
      'It is yours for two hours, or until you leave it alone for ten minutes. ',
      element('a', { href: '/dashboard' }, 'Running phones'),
      ' · ',
      element('a', { href: '/docs' }, 'Control it from a program'),
    ),
  );
};
