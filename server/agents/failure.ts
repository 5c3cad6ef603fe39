import type { CallToolResult } from '@modelcontextprotocol/server';
import { RunCloudError } from '../../client/sdk/error.ts';
import { text } from './tool.ts';

/** A failure that a tool tells of itself, in the words of the service. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
  readonly code: string;
  readonly next: string | undefined;

  constructor(code: string, message: string, next?: string) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

const LOOK_AGAIN = 'Use look, and refs of its frame.';
/** The advice of the service is for programs that call it; these know the tools alone. */
const NEXT: Readonly<Record<string, string>> = {
  active_session_not_found: 'It may have ended. Use start.',
  session_not_found: 'See devices, or use start.',
  simulator_session_ended: 'Use start.',
  simulator_capacity_unavailable: 'End a session that is no longer needed, or try again later.',
  ref_expired: LOOK_AGAIN,
  ref_of_other_frame: LOOK_AGAIN,
  ref_not_issued: LOOK_AGAIN,
  target_not_found: 'Use look; scroll to what is out of sight.',
  not_in_control: 'Somebody else controls this session: wait, or ask its owner.',
  app_not_found: 'Use app with do: list.',
};

/** Why a call failed, in one line: the code, the sentence and what to do next. */
export function failureLine(error: unknown): string {
  if (error instanceof ToolFailure) return line(error.code, error.message, error.next ?? NEXT[error.code]);
  if (error instanceof RunCloudError) {
    const { code, detail, suggestedAction, retryAfterMs } = error;
    const again = retryAfterMs === undefined ? undefined : `Try again in ${Math.ceil(retryAfterMs / 1_000)} s.`;
    return line(code, detail, again ?? NEXT[code] ?? suggestedAction);
  }
  if (error instanceof RangeError || error instanceof TypeError) return line('invalid_request', error.message);
  throw error;
}

const line = (code: string, sentence: string, next?: string): string =>
  `${code}: ${sentence}${next === undefined ? '' : ` ${next}`}`;

export const failed = (error: unknown): CallToolResult => ({ content: [text(failureLine(error))], isError: true });
