import type { Operation } from './error.ts';

const named = (prefix: 'interaction' | 'screenshot' | 'open_url', name: string, action?: string): Operation => ({
  name,
  ...(action === undefined ? {} : { action }),
  transportCode: `${prefix}_transport_error`,
  timeoutCode: `${prefix}_timeout`,
  invalidCode: `${prefix}_invalid_response`,
});

export const INTERACT: Operation = named('interaction', 'interact');
export const SCREENSHOT: Operation = named('screenshot', 'screenshot', 'screenshot');
export const READ_UI: Operation = named('interaction', 'ui', 'ui');
export const CHECK_UI: Operation = named('interaction', 'check', 'ui.check');
export const WAIT_UI: Operation = named('interaction', 'waitFor', 'ui.wait');
export const READ_CLIPBOARD: Operation = named('interaction', 'clipboard.read', 'clipboard.get');
export const WRITE_CLIPBOARD: Operation = named('interaction', 'clipboard.write', 'clipboard.set');
export const OPEN_URL: Operation = named('open_url', 'openUrl', 'open-url');

/** Operations without error codes of their own in the contract, with the codes of their failures of transport. */
export const general = (name: string): Operation => ({
  name,
  transportCode: 'transport_error',
  timeoutCode: 'request_timeout',
  invalidCode: 'invalid_response',
});

/** The address of an input that is to be carried out whoever has control. */
export const forced = <To extends { readonly path: string }>(to: To, force: boolean | undefined): To =>
  force ? { ...to, path: `${to.path}?force=true` } : to;
