import type { TObject, TSchema } from '@sinclair/typebox';
import type { ErrorCode } from '../errors.ts';
import type { Checked } from '../fault.ts';

/**
 * The credential that a route requires. `key` is an API key, an access token or the dashboard's cookie; `viewerToken` and
 * `reference` are signed query parameters, each for one session or recording; the control socket takes `keyOrViewerToken`.
 * `keyOrSessionToken` takes either as a bearer, and with a viewer token acts in its session alone.
 */
export type Credential = 'none' | 'viewerToken' | 'reference' | 'key' | 'keyOrViewerToken' | 'keyOrSessionToken';

/** The query parameter of each signed credential. */
export const CREDENTIAL_PARAMETERS = { viewerToken: 'token', reference: 'reference' } as const;

/**
 * Which accounts may call a route with a key. `account`: every account. `operator`: the operator's account. The others: the
 * owner of the session in the path. `session` may have ended; `activeSession` must be active (404 otherwise); `leasedSession`
 * must be active too, but the answer is 410 when its lease has ended.
 */
export type RouteRole = 'account' | 'operator' | 'session' | 'leasedSession' | 'activeSession';

export interface JsonBody<T = unknown> {
  readonly kind: 'json';
  readonly schema: TSchema;
  readonly check: (value: unknown) => Checked<T>;
  /** The error code for a body that is not JSON or does not match `schema`. */
  readonly invalid: ErrorCode;
  /** Copies the fields of a body, valid or not, that the envelope of a failure repeats. */
  readonly identify?: (value: unknown, named: { requestId?: string; action?: string }) => void;
}

/** A form (RFC 6749, section 3.2). */
export interface FormBody {
  readonly kind: 'form';
  readonly schema: TObject;
}

/** A body that is read in chunks. */
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

/** An answer: JSON if it has a `schema`, bytes if it has a media type, else without a body. */
export interface Answer {
  readonly description: string;
  readonly schema?: TSchema;
  readonly mediaType?: string;
  /** The media type of the same as a stream of lines, for a client that accepts it. */
  readonly streamType?: string;
  /** The media type of the same in another form, for a client that asks for it. */
  readonly otherType?: string;
}

interface Common {
  /** `{name}` is a parameter: one segment. */
  readonly path: string;
  /** The last parameter takes every segment that is left. */
  readonly deep?: true;
  /** In one line. */
  readonly summary: string;
  /** By status. Every other failure has an `Acknowledgement` as its body. */
  readonly answers: Readonly<Record<number, Answer>>;
  /** A call is about as little work as a message of the control socket, whatever it asks for. */
  readonly isShort?: true;
  /** Failures are told as W3C WebDriver tells them (section 6.6). */
  readonly failures?: 'webDriver';
  /** Optional headers of a request, each with its description. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The `action` in the envelope of a failure, if the body does not name one. */
  readonly action?: string;
}

/**
 * OpenAPI leaves out the `internal` routes: the service's own pages call them, or a document of others says what they take. Of the
 * others it says more.
 */
type Audience =
  | { readonly description: string; readonly internal?: undefined }
  | { readonly internal: true; readonly description?: undefined };

/** GET changes nothing. The other methods say how their change to the store runs; see `Store.commit`. */
type Effect =
  | { readonly method: 'GET'; readonly writes?: undefined; readonly body?: undefined }
  | {
      readonly method: 'POST' | 'PUT' | 'DELETE';
      /**
       * `again`: only changes the database, and runs again if the database was locked. `at once`: acts on more than the
       * database, and runs once. `none`: does not change the store, or commits its own changes.
       */
      readonly writes: 'again' | 'at once' | 'none';
      readonly body?: JsonBody | FormBody | StreamBody;
    };

type Access =
  | {
      readonly credential: 'key' | 'keyOrViewerToken' | 'keyOrSessionToken';
      readonly role: RouteRole;
      readonly query?: Query;
      readonly pages?: undefined;
      readonly unmetered?: undefined;
    }
  | {
      readonly credential: 'none' | 'viewerToken' | 'reference';
      readonly role?: undefined;
      readonly query?: undefined;
      /** Origins whose pages may call the route: the service's `own`, or `none`; absent: every origin. */
      readonly pages?: 'own' | 'none';
      /** No rate limit: a probe must not be refused because of other callers. */
      readonly unmetered?: true;
    };

/** One route of the service; clients, dispatch, authentication, OpenAPI and the checks of answers all read it. */
export type Route = Common & Audience & Effect & Access;
