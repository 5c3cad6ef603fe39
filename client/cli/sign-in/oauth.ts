import { routeTo } from '../../../protocol/routes/address.ts';
import { readText } from '../../sdk/answer-body.ts';
import { Deadline } from '../../sdk/deadline.ts';
import { type RunCloudError, unanswered } from '../../sdk/error.ts';
import { type HttpCall, mediaTypeOf } from '../../sdk/http.ts';
import { general } from '../../sdk/operations.ts';
import { lightFetch } from '../light-fetch.ts';

/** The OAuth endpoints of a service, for a public client: RFC 8628, RFC 6749 (section 6) and RFC 7009. */

export const CLIENT_ID = 'runcloud-cli';
const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
/** One answer; the service works on none of them for long. A refresh must end before its lock counts as left behind. */
const ANSWER_MS = 10_000;
/** Its longest answer holds two tokens. */
const ANSWER_BYTES_MAX = 65_536;
/** A code that is to be typed is good for minutes, and is not asked for more rarely than this. */
const LIFE_SECONDS_MAX = 3_600;
const INTERVAL_SECONDS_MAX = 60;
/** RFC 8628, section 3.2: where the service names no interval. */
const INTERVAL_SECONDS = 5;

/** Codes of RFC 6749, section 5.2, and RFC 8628, section 3.5; services may add others. */
export interface Refused {
  readonly refused: string;
  readonly description: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** ISO 8601; of the access token, on this machine's clock. */
  readonly expiresAt: string;
}

export interface DeviceCode {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly verificationUri: string;
  readonly verificationUriComplete: string;
  readonly lifeMs: number;
  readonly intervalMs: number;
}

type Answer = Readonly<Record<string, unknown>>;
type To = Pick<HttpCall, 'method' | 'path'>;

/** Rejects with a `RunCloudError` if there is no answer, or the answer is invalid. */
export class OAuth {
  readonly #baseUrl: string;
  readonly #answerMs: number;

  /**
   * @param baseUrl without a slash at its end
   * @param answerMs milliseconds for one answer; a refresh must end before its lock counts as left behind
   */
  constructor(baseUrl: string, answerMs = ANSWER_MS) {
    this.#baseUrl = baseUrl;
    this.#answerMs = Math.min(answerMs, ANSWER_MS);
  }

  async begin(deviceName: string | undefined, signal: AbortSignal): Promise<DeviceCode | Refused> {
    const name = deviceName === undefined ? {} : { device_name: deviceName };
    const answer = await this.#post(
      routeTo('POST /oauth/device_authorization'),
      { client_id: CLIENT_ID, ...name },
      signal,
    );
    if ('refused' in answer) return answer as unknown as Refused;
    const { device_code, user_code, verification_uri, verification_uri_complete = verification_uri } = answer;
    const { expires_in, interval = INTERVAL_SECONDS } = answer;
    if (!isText(device_code) || !isText(user_code) || !isWebAddress(verification_uri)) throw wrong('no device code');
    if (!isWebAddress(verification_uri_complete) || !isSeconds(expires_in) || !isSeconds(interval)) {
      throw wrong('no times');
    }
    return {
      deviceCode: device_code,
      userCode: user_code,
      verificationUri: verification_uri,
      verificationUriComplete: verification_uri_complete,
      lifeMs: Math.min(expires_in, LIFE_SECONDS_MAX) * 1_000,
      intervalMs: Math.min(interval, INTERVAL_SECONDS_MAX) * 1_000,
    };
  }

  poll(deviceCode: string, signal: AbortSignal): Promise<Tokens | Refused> {
    return this.#tokens({ grant_type: DEVICE_GRANT, client_id: CLIENT_ID, device_code: deviceCode }, signal);
  }

  /** The old refresh token is worth nothing once the answer is used. Where the answer is lost, this may be repeated soon. */
  refresh(refreshToken: string): Promise<Tokens | Refused> {
    return this.#tokens({ grant_type: 'refresh_token', client_id: CLIENT_ID, refresh_token: refreshToken });
  }

  /** Ends the sign-in that a token belongs to; a token that is none changes nothing. */
  async revoke(token: string, signal?: AbortSignal): Promise<void> {
    const answer = await this.#post(routeTo('POST /oauth/revoke'), { token, token_type_hint: 'refresh_token' }, signal);
    if ('refused' in answer) throw wrong('the token cannot be given back');
  }

  async #tokens(form: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Tokens | Refused> {
    const askedAtMs = Date.now();
    const answer = await this.#post(routeTo('POST /oauth/token'), form, signal);
    if ('refused' in answer) return answer as unknown as Refused;
    const { access_token, refresh_token, token_type, expires_in } = answer;
    const isBearer = isText(token_type) && token_type.toLowerCase() === 'bearer';
    if (!isToken(access_token) || !isToken(refresh_token) || !isBearer || !isSeconds(expires_in)) {
      throw wrong('no tokens');
    }
    const expiresAt = new Date(askedAtMs + expires_in * 1_000).toISOString();
    return { accessToken: access_token, refreshToken: refresh_token, expiresAt };
  }

  async #post({ method, path }: To, form: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<Answer> {
    const deadline = new Deadline(signal, this.#answerMs);
    const init: RequestInit = {
      method,
      headers: { Accept: 'application/json' },
      body: new URLSearchParams(form),
      redirect: 'manual',
      signal: deadline.signal,
    };
    try {
      const response = await lightFetch(this.#baseUrl + path, init);
      const text = await readText(response, ANSWER_BYTES_MAX, deadline);
      if (text === undefined) throw wrong(`it is longer than ${ANSWER_BYTES_MAX} bytes`, response.status);
      const answer = mediaTypeOf(response) === 'application/json' ? (JSON.parse(text) as Answer) : undefined;
      if (response.ok && answer !== undefined && answer !== null) return answer;
      const { error, error_description: description = '' } = answer ?? {};
      if (isText(error)) return { refused: error, description: String(description).slice(0, 300) };
      if (response.status === 503) throw unanswered(OPERATION, 'transport', 'The service cannot answer for now.');
      throw wrong(`status ${response.status}`, response.status);
    } catch (error) {
      deadline.throwIfAborted();
      if (error instanceof SyntaxError) throw wrong('the answer is not JSON');
      if (deadline.expired) throw unanswered(OPERATION, 'timeout', 'The service did not answer in time.');
      if (error instanceof TypeError) throw unanswered(OPERATION, 'transport', 'The service cannot be reached.');
      throw error;
    } finally {
      deadline.end();
    }
  }
}

const OPERATION = general('sign-in');

const wrong = (reason: string, status?: number): RunCloudError =>
  unanswered(OPERATION, 'invalid', `The service gave a wrong answer: ${reason}.`, {}, { status });

const isText = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]{1,2048}$/.test(value);
/** As it can be sent in a header. */
const isToken = (value: unknown): value is string => typeof value === 'string' && /^[\x21-\x7e]{1,400}$/.test(value);
const isSeconds = (value: unknown): value is number => typeof value === 'number' && value > 0 && value <= 31_536_000;
const isWebAddress = (value: unknown): value is string => isText(value) && /^https?:\/\/\S+$/.test(value);
