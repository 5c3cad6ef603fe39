import { element } from '../../page/element.ts';
import { emptyState } from '../../page/notice.ts';
import { page } from '../ui/page.ts';
import type { View } from '../view.ts';

/** Shown for an address that leads nowhere. */
export const notFoundPage: View = () =>
  page(
    'Page not found',
    [],
    emptyState(
      'warning',
      'Nothing is here',
      'The address is incomplete or out of date.',
      element('a', { class: 'button primary', href: '/dashboard' }, 'Go to sessions'),
    ),
  );
