import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../errors.ts';
import type { Checked } from '../fault.ts';

/**
 * What a caller shows. `key` is an API key, an access token or the dashboard's cookie; `viewerToken` and `reference` are
 * signed texts of the query, each for one session or recording; the control socket takes `keyOrViewerToken`.
 */
export type Credential = 'none' | 'viewerToken' | 'reference' | 'key' | 'keyOrViewerToken';

/** The parameter of the query that carries a signed text. */
export const CREDENTIAL_PARAMETERS = { viewerToken: 'token', reference: 'reference' } as const;

/**
 * Who of those with a key may call. `account`: every account. `operator`: the operator's own. The others own the session that
 * the path names: `session` may have ended, `activeSession` is active, and `leasedSession` is active, or the caller is told
 * that its lease has ended.
 */
export type RouteRole = 'account' | 'operator' | 'session' | 'leasedSession' | 'activeSession';

export interface JsonBody<T = unknown> {
  readonly kind: 'json';
  readonly schema: TSchema;
  readonly check: (value: unknown) => Checked<T>;
  /** A body is refused with this where it is no JSON, or breaks a rule of `schema`. */
  readonly invalid: ErrorCode;
  /** Notes what a failure's envelope repeats of the body, also of one that is refused. */
  readonly identify?: (value: unknown, named: { requestId?: string; action?: string }) => void;
}

/** A form (RFC 6749, section 3.2). */
export interface FormBody {
  readonly kind: 'form';
  readonly fields: readonly string[];
}

/** Bytes that are taken piece by piece. */
export interface StreamBody {
  readonly kind: 'stream';
  readonly mediaTypes: readonly string[];
  readonly bytesMax: number;
}

export interface Query<T = unknown> {
  readonly schema: TObject;
  readonly check: (values: Readonly<Record<string, string>>) => Checked<T>;
  readonly invalid: ErrorCode;
}

/** An answer: JSON where it has a `schema`, else bytes of a media type, or no body. */
export interface Answer {
  readonly description: string;
  readonly schema?: TSchema;
  readonly mediaType?: string;
}

interface Common {
  /** `{name}` stands for one segment. */
  readonly path: string;
  readonly summary: string;
  /** By status. Every other failure is the envelope of an `Acknowledgement`. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** Headers that callers may send, and what they are for. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What a failure's envelope calls the action, where the body does not. */
  readonly action?: string;
}

/** GET changes nothing. The others say how a change that is kept runs; see `Store.commit`. */
type Effect =
  | { readonly method: 'GET'; readonly writes?: undefined; readonly body?: undefined }
  | {
      readonly method: 'POST' | 'DELETE';
      /**
       * `again`: runs once more where the database was locked. `at once`: acts on more than the database, and runs once.
       * `none`: changes nothing that is kept, or sees to its writes itself.
       */
      readonly writes: 'again' | 'at once' | 'none';
      readonly body?: JsonBody | FormBody | StreamBody;
    };

type Access =
  | {
      readonly credential: 'key' | 'keyOrViewerToken';
      readonly role: RouteRole;
      readonly query?: Query;
      readonly pages?: undefined;
      readonly unmetered?: undefined;
    }
  | {
      readonly credential: 'none' | 'viewerToken' | 'reference';
      readonly role?: undefined;
      readonly query?: undefined;
      /** Pages in browsers that may call it: the service's `own`, or `none`; every page where absent. */
      readonly pages?: 'own' | 'none';
      /** Calls count for nobody: a probe must not be refused because others ask too often. */
      readonly unmetered?: true;
    };

/** One address of the service: all that callers, dispatch, OpenAPI and the checks of answers need to know of it. */
export type Route = Common & Effect & Access;
