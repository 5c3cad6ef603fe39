import { element } from '../../page/element.ts';
import { failureBox, skeleton } from '../../page/notice.ts';

/** A page's heading, with what can be done on it. */
export function page(title: string, actions: readonly Node[], ...content: Node[]): HTMLElement {
  const heading = element('h1', { tabindex: '-1' }, title);
  const top = element('header', { class: 'page-top' }, heading, element('div', { class: 'actions' }, ...actions));
  return element('div', { class: 'page' }, top, ...content);
}

export function section(title: string, ...content: Node[]): HTMLElement {
  return element('section', {}, element('h2', {}, title), ...content);
}

/** A container that shows the result of `load`, a skeleton until then, or the failure. */
export function loaded(
  load: () => Promise<Node>,
  shapes: HTMLElement = skeleton(3),
): { place: HTMLElement; reload: () => Promise<void> } {
  const place = element('div', {}, shapes);
  const reload = async () => {
    try {
      place.replaceChildren(await load());
    } catch (error) {
      place.replaceChildren(failureBox(error, () => void reload()));
    }
  };
  void reload();
  return { place, reload };
}
