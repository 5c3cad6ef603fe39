import { Deadline } from '../../sdk/deadline.ts';
import { RunCloudError } from '../../sdk/error.ts';
import { refusal } from '../failure.ts';
import type { DeviceCode, OAuth, Tokens } from './oauth.ts';

/** The answer `slow_down` adds this to the interval (RFC 8628, section 3.5). */
const SLOW_DOWN_MS = 5_000;
/** Maximum interval between polls, so that an approval is noticed within this time. */
const INTERVAL_MS_MAX = 60_000;

/**
 * Polls for the tokens until the user has decided (RFC 8628, section 3.5). Rejects when it was denied, when
 * the code has expired, and with the signal's reason.
 */
export async function awaitTokens(oauth: OAuth, code: DeviceCode, signal: AbortSignal): Promise<Tokens> {
  const deadline = new Deadline(signal, code.lifeMs);
  let { intervalMs } = code;
  try {
    for (;;) {
      await deadline.sleep(intervalMs);
      if (deadline.expired) throw refusal('expired_token', 'The code was not approved in time.');
      deadline.throwIfAborted();
      const answer = await oauth.poll(code.deviceCode, signal).catch((error: unknown) => {
        // The network may be away for a while; the RFC wants it to be asked half as often then.
        if (error instanceof RunCloudError && error.retryable) return 'no answer' as const;
        throw error;
      });
      if (answer === 'no answer') intervalMs = Math.min(2 * intervalMs, INTERVAL_MS_MAX);
      else if ('accessToken' in answer) return answer;
      else if (answer.refused === 'slow_down') intervalMs = Math.min(intervalMs + SLOW_DOWN_MS, INTERVAL_MS_MAX);
      else if (answer.refused !== 'authorization_pending') throw refusal(answer.refused, sentenceOf(answer));
    }
  } finally {
    deadline.end();
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  access_denied: 'The request was denied.',
  expired_token: 'The code was not approved in time.',
};

const sentenceOf = ({ refused, description }: { readonly refused: string; readonly description: string }): string =>
  SENTENCES[refused] ?? (description || `The service refused it: ${refused}.`);
