import type { OpenUrlResult } from '@runcloud/protocol';
import { errorBody, type Platform } from '@runcloud/protocol/terms';
import { DeviceFault, type DeviceFaultKind } from '../device/fault.ts';
import type { LinkCall } from '../link/host-link.ts';
import type { RemoteDevice } from '../link/remote-device.ts';
import { CANCELLED, type Ending, type RequestEndings } from './ending.ts';
import type { Request, Runner } from './request.ts';

const SESSION_ENDED: Ending = { status: 'failed', error: errorBody('simulator_session_ended') };

/** How a URL's opening ends when the device has no say in it. */
export const OPEN_URL_ENDINGS: RequestEndings = {
  cancelled: CANCELLED,
  timedOut: { status: 'timed_out', error: errorBody('open_url_timeout') },
  sessionEnded: SESSION_ENDED,
  afterEnd: 'simulator_session_ended',
};

const CODE_OF_FAULT = {
  ios: { unhandled: 'ios_url_handler_not_found', failed: 'ios_open_url_failed' },
  android: { unhandled: 'android_url_handler_not_found', failed: 'android_open_url_failed' },
  either: {
    missing: 'open_url_failed',
    aborted: 'open_url_failed',
    full: 'open_url_failed',
    damaged: 'open_url_failed',
    unavailable: 'simulator_unavailable',
    unreachable: 'open_url_transport_error',
    nonsense: 'open_url_invalid_response',
    unsupported: 'open_url_failed',
  },
} as const satisfies Record<string, Partial<Record<DeviceFaultKind, string>>>;

/** The opening of one URL on the device. */
export class OpenUrlRunner implements Runner {
  readonly #device: RemoteDevice;
  readonly #result: OpenUrlResult;
  readonly #nextInputSeq: () => number;
  #call: LinkCall<'openUrl'> | undefined;

  /** @param result the caller's result once the device has taken the URL */
  constructor(device: RemoteDevice, result: OpenUrlResult, nextInputSeq: () => number) {
    this.#device = device;
    this.#result = result;
    this.#nextInputSeq = nextInputSeq;
  }

  start(request: Request): void {
    const inputSeq = this.#nextInputSeq();
    this.#call = this.#device.openUrl(this.#result.url, inputSeq, { requestId: request.requestId });
    request.tellDispatched(inputSeq);
    this.#call.answered.then(
      (opened) => request.finish(this.#endingOf(opened)),
      (error) => request.finish(endingOfFault(error, this.#result.platform, request.requestedEnding)),
    );
  }

  stop(): void {
    if (this.#call) this.#device.cancel(this.#call.id);
  }

  /** A driver that does not say which app took the URL has not verified that one did. */
  #endingOf(opened: unknown): Ending {
    const handler = typeof opened === 'object' && opened !== null && 'handler' in opened ? opened.handler : undefined;
    if (typeof handler === 'string' && handler !== '') return { status: 'completed', result: { ...this.#result } };
    return { status: 'failed', error: errorBody('open_url_invalid_response') };
  }
}

function endingOfFault(error: unknown, platform: Platform, requestedEnding: Ending | undefined): Ending {
  if (!(error instanceof DeviceFault)) return { status: 'failed', error: errorBody('open_url_failed') };
  if (error.kind === 'aborted' && requestedEnding) return requestedEnding;
  // If the device is lost, its session ends, and that is a better reason than the missing answer of the host.
  if (error.kind === 'unreachable' && requestedEnding === SESSION_ENDED) return requestedEnding;
  return { status: 'failed', error: errorBody(codeOf(error.kind, platform), error.message) };
}

function codeOf(kind: DeviceFaultKind, platform: Platform) {
  return kind === 'unhandled' || kind === 'failed' ? CODE_OF_FAULT[platform][kind] : CODE_OF_FAULT.either[kind];
}
