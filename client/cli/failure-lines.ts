import type { Acknowledgement, ErrorBody } from '../sdk/types.ts';
import { type CommandFailure, EXIT } from './failure.ts';
import { CROSS, dim, type Line } from './terminal/line.ts';
import { wrapped } from './terminal/width.ts';
import type { WriteOut } from './write-out.ts';

/** What a failed command was about. */
export interface Situation {
  /** The address of the service; absent if it is no address. */
  readonly baseUrl?: string | undefined;
  /** Whether the key is that of the environment, instead of a sign-in. */
  readonly hasKey?: boolean;
  /** Whether the command takes `--timeout`. */
  readonly hasTimeout?: boolean;
}

interface Told {
  /** Instead of the failure's own sentence. */
  readonly sentence?: string | undefined;
  readonly hint?: string | undefined;
}

type Advise = (situation: Situation, failure: CommandFailure) => Told;

const hint =
  (text: string): Advise =>
  () => ({ hint: text });

const SESSIONS = 'See your live sessions with "runcloud ls", or create one with "runcloud session create ios".';
const RECORDINGS = 'See the recordings of the session with "runcloud record list".';

/** Advice in terms of the command line, where that of the service is for programs that call it. */
const ADVICE: Readonly<Record<string, Advise>> = {
  authentication_required: ({ baseUrl, hasKey }, { origin }) => {
    // The command's own failure says what to do.
    if (!origin) return {};
    if (!hasKey) return { hint: 'Sign in again with "runcloud login".' };
    return {
      sentence: `The service at ${baseUrl} does not accept the key in RUNCLOUD_API_KEY.`,
      hint: 'It may be mistyped, expired, revoked, or of another service. Set another one, or unset it and sign in with "runcloud login".',
    };
  },
  simulator_capacity_unavailable: ({ baseUrl }, failure) => ({
    hint: `All devices of ${baseUrl} are in use. End a session that you no longer need ("runcloud ls", "runcloud session delete ID"), or try again${after(failure)}.`,
  }),
  active_session_not_found: ({ baseUrl }, { origin }) => ({
    sentence: origin?.sessionId && `There is no active session ${origin.sessionId} at ${baseUrl}.`,
    hint: `It may have ended. ${SESSIONS}`,
  }),
  session_not_found: ({ baseUrl }, { origin }) => ({
    sentence: origin?.sessionId && `There is no session ${origin.sessionId} at ${baseUrl}.`,
    hint: `${SESSIONS} Ended ones are listed with --all.`,
  }),
  simulator_session_ended: hint(SESSIONS),
  not_in_control: hint(
    'Ask for control with "runcloud control request", take it with "runcloud control take", or act once with --force.',
  ),
  control_request_not_found: hint('See who waits with "runcloud control status".'),
  recording_not_found: hint(RECORDINGS),
  recording_not_ready: hint('Stop it with "runcloud record stop", or look again with "runcloud record status ID".'),
  recording_already_active: hint('Stop that one with "runcloud record stop".'),
  recording_deleted: hint(RECORDINGS),
  asset_not_found: hint('See the apps with "runcloud app list".'),
  snapshot_not_found: hint('See the snapshots with "runcloud snapshot list".'),
  snapshot_exists: hint('Choose another name, or delete that one with "runcloud snapshot delete NAME".'),
  snapshot_damaged: hint('Delete it with "runcloud snapshot delete NAME", and make another one.'),
  snapshot_quota_exceeded: hint('Delete snapshots that you no longer need with "runcloud snapshot delete NAME".'),
  asset_in_use: hint('See the live sessions with "runcloud ls", and end those that use it.'),
  asset_quota_exceeded: hint('Delete apps that you no longer need with "runcloud app delete ID".'),
  key_not_found: hint('See the keys with "runcloud keys list".'),
  token_not_found: hint('See the programs with "runcloud tokens list".'),
  viewer_link_not_found: hint('See the links of the session with "runcloud links list".'),
  duplicate_request: hint('Choose another --request-id, or leave it out.'),
  ios_url_handler_not_found: hint(
    'Create a session with an app that opens it: "runcloud session create ios --app ID".',
  ),
  android_url_handler_not_found: hint(
    'Create a session with an app that opens it: "runcloud session create android --app ID".',
  ),
  interaction_timeout: hint('Give it longer with --timeout, at most 60s.'),
  screenshot_timeout: hint('Give it longer with --timeout, at most 60s.'),
  rate_limited: (_, failure) => ({ hint: `Try again${after(failure)}, and send fewer requests at once.` }),
  internal_error: (_, { origin }) => ({
    hint: origin && 'The operator of the service finds more under the request id below in its log.',
  }),
};

/** Of an address, what went wrong on the way to it; of a system's or a library's error code. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of this name',
  EAI_AGAIN: 'the name of the host cannot be looked up now',
  EHOSTUNREACH: 'the network does not lead there',
  ENETUNREACH: 'the network does not lead there',
  ETIMEDOUT: 'nothing answers there',
  ECONNRESET: 'the connection was closed',
  EPROTO: 'it does not speak HTTPS',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted here',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted here',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted here',
};

const ANOTHER = 'name another service in RUNCLOUD_BASE_URL.';

/** What to say where there was no answer of the service, or none that makes sense. */
function unanswered({ baseUrl, hasTimeout }: Situation, { origin }: CommandFailure): Told | undefined {
  if (!origin || origin.acceptedAt !== undefined) return undefined;
  const { code } = origin;
  if (code.endsWith('invalid_response')) {
    return { hint: `Is there a RunCloud service at ${baseUrl}? If not, ${ANOTHER}` };
  }
  // The status of an answer is that of the service, which then speaks of its device.
  if (origin.status !== undefined) return undefined;
  if (code.endsWith('timeout')) {
    const longer = hasTimeout ? 'Give it longer with --timeout, or check' : 'Check';
    return {
      sentence: `The service at ${baseUrl} did not answer in time.`,
      hint: `${longer} with "runcloud doctor" whether it is well.`,
    };
  }
  if (!code.endsWith('transport_error')) return undefined;
  const reason = reasonOf(origin.cause);
  return {
    sentence: `The service at ${baseUrl} cannot be reached${reason === undefined ? '' : `: ${reason}`}.`,
    hint: `Is it running? Start it with "npm start", or ${ANOTHER}`,
  };
}

/** Looks through the causes of an error. */
function reasonOf(error: unknown): string | undefined {
  for (let at = error as Partial<NodeJS.ErrnoException> | undefined; at instanceof Error; at = at.cause as typeof at) {
    const { code } = at as NodeJS.ErrnoException;
    if (code !== undefined) return REASONS[code] ?? code;
  }
  return undefined;
}

const after = ({ origin }: CommandFailure): string =>
  origin?.retryAfterMs === undefined ? ' later' : ` in ${Math.ceil(origin.retryAfterMs / 1_000)} s`;

type Envelope = Partial<Pick<Acknowledgement, 'requestId' | 'status'>> & { readonly error: ErrorBody };

const INDENT = '  ';

/** A failure as a person reads it: what went wrong and where, what to do about it, and the code to look it up by. */
export function failureLines(failure: CommandFailure, situation: Situation, columns: number): Line[] {
  const { error, requestId, status } = failure.envelope as unknown as Envelope;
  const { code, message, retryable, action } = error;
  const told = unanswered(situation, failure) ?? ADVICE[code]?.(situation, failure) ?? {};
  const again = failure.origin && retryable ? `Try again${after(failure)}.` : undefined;
  const { sentence = message, hint = failure.hint ?? again ?? action } = told;
  const [first = '', ...rest] = wrapped(sentence, columns - INDENT.length);
  const advice = hint === undefined ? [] : wrapped(hint, columns - INDENT.length);
  const isPlain = failure.exitCode === EXIT.invalid || status === 'cancelled';
  const names = [code, ...(requestId === undefined ? [] : [requestId])];
  return [
    [CROSS, ` ${first}`],
    ...rest.map((line) => INDENT + line),
    ...advice.map((line) => INDENT + line),
    ...(isPlain ? [] : [dim(INDENT + names.join('  '))]),
  ];
}

/** Tells a failure on standard error: to a person in sentences, to a program as one JSON object. */
export function tellFailure(
  out: WriteOut,
  failure: CommandFailure,
  args: readonly string[],
  situation: Situation,
): void {
  // Everything was told already.
  if (Object.keys(failure.envelope).length === 0) return;
  if (!out.isErrorTerminal || args.includes('--json')) out.asideJson(failure.envelope);
  else out.asideLines(failureLines(failure, situation, out.errorColumns));
}
