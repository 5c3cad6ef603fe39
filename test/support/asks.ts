import { ERRORS, type ErrorCode } from '@runcloud/protocol';
import { systemClock } from '../../server/flow/clock.ts';
import { databasePath } from '../../server/store/database.ts';
import { Store } from '../../server/store/store.ts';
import type { RestClient } from './rest-client.ts';

/** How a call or a message was answered. */
export interface Answered {
  /** That of the call; for a message, the one that a call would have had. */
  readonly status: number;
  /** Absent of messages. */
  readonly retryAfter?: string | null;
  readonly code: string | undefined;
  readonly retryable: boolean | undefined;
  /** The answer, to check whether what it says was stored. */
  readonly body: Record<string, unknown>;
}

/** One thing that a caller can ask for, and repeat until it is acknowledged. */
export interface Ask {
  readonly name: string;
  ask(): Promise<Answered>;
  /** Whether the database says that it was done; absent where nothing is changed that is kept. */
  isKept?(store: Store, body: Record<string, unknown>): boolean;
  /** What is sent waits on the disk, of which nothing is left in the store. */
  readonly needsDisk?: true;
}

/** The server that is asked, by the operator's key. */
export interface Asked {
  readonly rest: RestClient;
  readonly dataDir: string;
  readonly accountId: string;
  /** Of programs that nobody has decided on: no more than a few may wait at the same time. */
  readonly userCodes: string[];
}

type Body = Record<string, unknown>;

/** Looks at, or changes, the data directory of a running server, as the admin command does. */
export function onStore<T>(dataDir: string, use: (store: Store) => T): T {
  const store = new Store(databasePath(dataDir));
  try {
    return use(store);
  } finally {
    store.close();
  }
}

export const isReady = (store: Store, recordingId: unknown) =>
  store.recordings.get(String(recordingId))?.status === 'ready';
export const isSignedIn = (store: Store, digest: string) =>
  store.signIns.find(digest, systemClock.wallMs()) !== undefined;

/** Reads a response; of one that is not JSON, only the status. */
export async function answeredBy(response: Response): Promise<Answered> {
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  const bytes = await response.arrayBuffer();
  const body = isJson ? (JSON.parse(Buffer.from(bytes).toString()) as Body) : {};
  const error = body.error as { code?: string; retryable?: boolean } | undefined;
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    code: error?.code,
    retryable: error?.retryable,
    body,
  };
}

/** Reads a `result`. */
export function answeredByResult(result: Readonly<Body>): Answered {
  const error = result.error as { code: string; retryable: boolean } | undefined;
  const { code, retryable } = error ?? {};
  const status = code === undefined ? 200 : (ERRORS[code as ErrorCode]?.http ?? 500);
  return { status, code, retryable, body: (result.result ?? {}) as Body };
}

/** The answer of what has no envelope. */
export const DONE: Answered = { status: 200, code: undefined, retryable: undefined, body: {} };
