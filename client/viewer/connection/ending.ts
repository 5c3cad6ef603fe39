import { CLOSE, releaseSentence } from '../protocol.ts';

/** Why a page does not connect again, for a person. */
export interface Ending {
  readonly title: string;
  readonly detail: string;
  /** Whether the person may try again by hand. */
  readonly retry: boolean;
}

const ENDED: Ending = {
  title: 'Session ended',
  detail: 'The device was released. Start a new session to go on.',
  retry: false,
};
const EXPIRED: Ending = {
  title: 'This link is no longer valid',
  detail: 'It expired or was revoked. Ask for a new link to the session.',
  retry: false,
};
const REFUSED: Ending = {
  title: 'The server closed the connection',
  detail: 'It refused too many messages from this page. Reload the page to try again.',
  retry: true,
};
const FAULT: Ending = {
  title: 'This page does not match the version of the server',
  detail: 'The server may have been updated. Reload the page to try again.',
  retry: true,
};

const FINAL: ReadonlyMap<number, Ending> = new Map([
  [CLOSE.revoked.code, EXPIRED],
  [CLOSE.ended.code, ENDED],
  [CLOSE.policy.code, REFUSED],
  [CLOSE.normal.code, ENDED],
  [CLOSE.text.code, FAULT],
  [CLOSE.undecodable.code, FAULT],
  [CLOSE.tooLarge.code, FAULT],
]);

/** The ending that a close code of an open socket means; `undefined` if the page reconnects. */
export function endingOf(code: number, reason?: string): Ending | undefined {
  const ending = FINAL.get(code);
  return ending === ENDED && reason !== undefined ? { ...ENDED, detail: sentenceOf(reason) } : ending;
}

/** Interprets the status of a plain HTTP request to the socket's address, after the socket's handshake was refused. */
export function refusalOf(status: number): Ending | 'other-platform' | undefined {
  if (status === 401) return EXPIRED;
  if (status === 404) return 'other-platform';
  return undefined;
}

/** The service knows the session no more, and did not say why: it may have ended while the page was not connected. */
export const SESSION_GONE: Ending = { ...ENDED };

const sentenceOf = (reason: string): string => `${releaseSentence(reason)} Start a new session to go on.`;
