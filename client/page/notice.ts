import { ApiError } from './api.ts';
import { button } from './button.ts';
import { element } from './element.ts';
import { type IconName, icon } from './icons.ts';

/** Shows what went wrong and what the user can do. */
export function failureBox(error: unknown, retry?: () => void): HTMLElement {
  const { message, action } = told(error);
  const words = element('div', {}, element('strong', {}, message));
  if (action !== undefined) words.append(element('p', {}, action));
  const box = element('div', { class: 'failure', role: 'alert' }, icon('warning'), words);
  if (retry) box.append(button('Try again', retry));
  return box;
}

/** The same in one line. */
export function failureText(error: unknown): string {
  const { message, action } = told(error);
  return action === undefined ? message : `${message} ${action}`;
}

/** Advice for the user of the dashboard, where the service's own advice is meant for programs. */
function remedyOf({ code, action, retryAfterSeconds = 1 }: ApiError): string | undefined {
  if (code === 'simulator_capacity_unavailable') return 'Release a session, or try again in a moment.';
  if (code === 'rate_limited') return `Wait ${retryAfterSeconds} s, then try again.`;
  return action;
}

function told(error: unknown): { message: string; action: string | undefined } {
  if (error instanceof ApiError) return { message: error.message, action: remedyOf(error) };
  return { message: 'Something went wrong on this page.', action: 'Load it again.' };
}

/** Where a list will be. */
export function emptyState(name: IconName, title: string, text: string, ...actions: HTMLElement[]): HTMLElement {
  return element('div', { class: 'empty' }, icon(name), element('h2', {}, title), element('p', {}, text), ...actions);
}

/** Grey shapes of the size of what will come. */
export function skeleton(rows: number, className = 'row'): HTMLElement {
  const shapes = Array.from({ length: rows }, () => element('div', { class: `shape ${className}` }));
  return element('div', { class: 'skeleton', 'aria-busy': 'true', 'aria-label': 'Loading' }, ...shapes);
}
