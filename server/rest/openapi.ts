import {
  ASSET_MEDIA_TYPES,
  ListQuery,
  RecordingListQuery,
  ROUTES,
  type Route,
  type RouteName,
  SessionListQuery,
} from '@runcloud/protocol';
import { componentSchemas, parameterSchema } from './openapi-schemas.ts';

interface Content {
  readonly description: string;
  readonly schema?: string;
  readonly mediaType?: string;
}

interface QuerySchema {
  readonly properties: Readonly<Record<string, object>>;
}

interface Operation {
  readonly body?: string;
  /** Of a body that is no JSON: any of these. */
  readonly mediaTypes?: readonly string[];
  /** Parameters of a body that is a form. */
  readonly form?: readonly string[];
  readonly answers: Readonly<Record<number, Content>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of parameters that are text, or the schema that the query is checked with. */
  readonly query?: readonly string[] | QuerySchema;
}

const SESSION: Content = { description: 'The session', schema: 'Session' };
const RECORDING: Content = { description: 'The recording', schema: 'Recording' };
const VIDEO: Content = { description: 'The file', mediaType: 'video/mp4' };
const TEXT: Content = { description: 'Plain text', mediaType: 'text/plain' };
const PAGE: Content = { description: 'A page for people', mediaType: 'text/html' };
const ACCOUNT: Content = { description: 'The account', schema: 'Account' };
const SIGNED_IN: Content = { description: 'The account; the dashboard cookie is set', schema: 'Account' };
const REVOKED: Content = { description: 'It opens nothing', schema: 'Revoked' };
const OAUTH_ERROR: Content = { description: 'An error of OAuth', schema: 'OAuthFailure' };
const PENDING: Content = { description: 'What the person is to be shown', schema: 'DeviceAuthorization' };
const TOKENS: Content = { description: 'Tokens', schema: 'OAuthTokens' };
const OBJECT: Content = { description: 'A JSON object', mediaType: 'application/json' };

/** What each route takes and gives, by the names of the schemas that also validate. */
const OPERATIONS: Readonly<Record<RouteName, Operation>> = {
  health: { answers: { 200: TEXT } },
  ready: { answers: { 200: TEXT, 503: TEXT } },
  metrics: { answers: { 200: TEXT } },
  openapi: { answers: { 200: OBJECT } },
  createSession: {
    body: 'CreateSession',
    headers: { 'Idempotency-Key': 'The same key again gives the session that it made before' },
    answers: { 200: { ...SESSION, description: 'The session that this Idempotency-Key made before' }, 201: SESSION },
  },
  listSessions: {
    query: SessionListQuery,
    answers: { 200: { description: 'Newest first', schema: 'SessionList' } },
  },
  getSession: { answers: { 200: SESSION } },
  deleteSession: { answers: { 200: SESSION } },
  createViewerLink: {
    body: 'CreateViewerLink',
    answers: { 201: { description: 'The link, with its address this once', schema: 'CreatedViewerLink' } },
  },
  listViewerLinks: {
    query: ListQuery,
    answers: { 200: { description: 'The links that open the session now', schema: 'ViewerLinkList' } },
  },
  revokeViewerLink: { answers: { 200: { description: 'The link opens nothing', schema: 'RevokedViewerLink' } } },
  uploadAsset: {
    mediaTypes: ASSET_MEDIA_TYPES,
    answers: { 201: { description: 'The app, as its package describes it', schema: 'Asset' } },
  },
  listAssets: { query: ListQuery, answers: { 200: { description: "The account's apps", schema: 'AssetList' } } },
  getAsset: { answers: { 200: { description: 'The app', schema: 'Asset' } } },
  deleteAsset: { answers: { 200: { description: 'The app is gone', schema: 'DeletedAsset' } } },
  viewerPage: {
    query: ['token'],
    answers: {
      200: { ...PAGE, description: 'The viewer' },
      401: { ...PAGE, description: 'The token is invalid, expired or revoked' },
      410: { ...PAGE, description: 'The session has ended' },
    },
  },
  viewerFile: {
    answers: {
      200: { description: 'The file; script or style', mediaType: '*/*' },
      304: { description: 'The file has not changed since the ETag of If-None-Match' },
    },
  },
  control: { answers: { 101: { description: 'The control socket is open' } } },
  interact: { body: 'Interaction', answers: { 200: { description: 'Acknowledgement', schema: 'Acknowledgement' } } },
  cancelInteraction: {
    answers: { 200: { description: 'Whether it was there to cancel', schema: 'CancelledInteraction' } },
  },
  openUrl: { body: 'OpenUrl', answers: { 200: { description: 'What took the URL', schema: 'OpenUrlResult' } } },
  screenshot: {
    headers: { 'X-Service-Request-ID': '1 to 128 characters; comes back in the answer' },
    answers: { 200: { description: 'The display', mediaType: 'image/png' } },
  },
  startRecording: {
    headers: {
      'Idempotency-Key':
        "1 to 200 printable characters; the same key again gives the session's recording, also after its end",
    },
    answers: { 200: { ...RECORDING, description: 'The recording that this Idempotency-Key started' }, 201: RECORDING },
  },
  listRecordings: {
    query: RecordingListQuery,
    answers: { 200: { description: 'Newest first, at most 100', schema: 'RecordingList' } },
  },
  getRecording: {
    answers: { 200: { description: 'The recording with its lifecycle events', schema: 'RecordingDetails' } },
  },
  stopRecording: { answers: { 200: { ...RECORDING, description: 'After finalization, or after 15 s as it then is' } } },
  downloadRecording: { answers: { 302: { description: 'Location leads to the verified file for 60 s' } } },
  retrieveRecording: {
    query: ['reference'],
    headers: {
      Range: 'One range of bytes',
      'If-Range': 'The ETag for which the range is wanted',
      'If-None-Match': 'The ETags of copies that the client has',
    },
    answers: {
      200: VIDEO,
      206: { ...VIDEO, description: 'The range' },
      304: { description: 'The client has a copy' },
    },
  },
  thumbnail: {
    answers: {
      200: { description: 'The display in small, at most a second old', mediaType: 'image/jpeg' },
      304: { description: 'The display has not changed since the ETag of If-None-Match' },
    },
  },
  signIn: { body: 'SignIn', answers: { 200: SIGNED_IN } },
  signInByLink: { body: 'SignInLink', answers: { 200: SIGNED_IN } },
  readInvitation: { body: 'SignInLink', answers: { 200: { description: 'Whom it is for', schema: 'Invitation' } } },
  acceptInvitation: { body: 'AcceptInvitation', answers: { 200: SIGNED_IN } },
  signOut: { answers: { 200: { description: 'The cookie opens nothing', schema: 'SignedOut' } } },
  getAccount: { answers: { 200: ACCOUNT } },
  setPassword: { body: 'SetPassword', answers: { 200: ACCOUNT } },
  createKey: { body: 'CreateKey', answers: { 201: { description: 'The key, shown this once', schema: 'CreatedKey' } } },
  listKeys: { query: ListQuery, answers: { 200: { description: 'The keys that are not revoked', schema: 'KeyList' } } },
  revokeKey: { query: ['minted'], answers: { 200: REVOKED } },
  revokeAll: {
    body: 'RevokeAll',
    answers: { 200: { description: 'Nothing else opens the account any more', schema: 'RevokedAll' } },
  },
  listTokens: {
    query: ListQuery,
    answers: { 200: { description: 'The programs that were let in', schema: 'TokenList' } },
  },
  revokeToken: { answers: { 200: REVOKED } },
  usage: { query: ['days'], answers: { 200: { description: 'What the account used', schema: 'Usage' } } },
  readDeviceRequest: { answers: { 200: { description: 'What asks to be let in', schema: 'DeviceRequest' } } },
  decideDeviceRequest: {
    body: 'DecideDeviceRequest',
    answers: { 200: { description: 'The decision', schema: 'DecidedDeviceRequest' } },
  },
  doctor: {
    answers: { 200: { description: 'One finding for each thing that was looked at', schema: 'DoctorReport' } },
  },
  oauthDevice: { form: ['client_id', 'device_name'], answers: { 200: PENDING, 400: OAUTH_ERROR } },
  oauthToken: {
    form: ['grant_type', 'client_id', 'device_code', 'refresh_token'],
    answers: { 200: TOKENS, 400: OAUTH_ERROR },
  },
  oauthRevoke: { form: ['token', 'token_type_hint'], answers: { 200: OBJECT, 400: OAUTH_ERROR } },
  oauthMetadata: { answers: { 200: OBJECT } },
  dashboardPage: { answers: { 200: PAGE } },
  dashboardSubpage: { answers: { 200: PAGE } },
};

/** Parameters that stand for more than a text. */
const PARAMETER_SCHEMAS: Readonly<Record<string, object>> = {
  platform: { type: 'string', enum: ['ios', 'android'] },
};

/** The OpenAPI 3.1 document, made from the schemas that validate requests. */
export function openApiDocument(version: string, serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries(ROUTES)) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operation(name, route, OPERATIONS[name as RouteName]),
    };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'RunCloud',
      version,
      description: 'Remote control of iOS Simulators and Android Emulators',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ key: [] }, { dashboard: [] }],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token of the device flow' },
        dashboard: { type: 'apiKey', in: 'cookie', name: '__Host-runcloud' },
      },
      schemas: componentSchemas(),
      responses: { Failure: FAILURE },
    },
  };
}

function operation(operationId: string, { path, summary, scope }: Route, parts: Operation): object {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path')),
    ...queryParameters(parts.query ?? []),
    ...Object.entries(parts.headers ?? {}).map(([name, description]) => ({
      ...parameter(name, 'header'),
      description,
    })),
  ];
  return {
    operationId,
    summary,
    ...(KEYLESS.includes(scope) ? { security: [] } : {}),
    parameters,
    ...requestBody(parts),
    responses: {
      ...Object.fromEntries(Object.entries(parts.answers).map(([status, content]) => [status, response(content)])),
      '4XX': { $ref: '#/components/responses/Failure' },
      '5XX': { $ref: '#/components/responses/Failure' },
    },
  };
}

const isNames = (query: readonly string[] | QuerySchema): query is readonly string[] => Array.isArray(query);

function queryParameters(query: readonly string[] | QuerySchema): object[] {
  if (isNames(query)) return query.map((name) => parameter(name, 'query'));
  return Object.entries(query.properties).map(([name, schema]) => {
    return { ...parameter(name, 'query'), ...parameterSchema(schema) };
  });
}

const parameter = (name: string, place: 'path' | 'query' | 'header'): object => ({
  name,
  in: place,
  required: place === 'path',
  schema: PARAMETER_SCHEMAS[name] ?? { type: 'string' },
});

/** Scopes of routes that need no key. */
const KEYLESS: readonly Route['scope'][] = ['public', 'page', 'reference', 'sign-in'];

function requestBody({ body, form: names, mediaTypes }: Operation): object {
  if (body !== undefined) return { requestBody: { required: true, content: json(body) } };
  if (names) return { requestBody: { required: true, content: form(names) } };
  if (!mediaTypes) return {};
  // In OpenAPI 3.1 a media type without a schema stands for its bytes.
  return { requestBody: { required: true, content: Object.fromEntries(mediaTypes.map((type) => [type, {}])) } };
}

const json = (schema: string): object => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

const form = (names: readonly string[]): object => ({
  'application/x-www-form-urlencoded': {
    schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  },
});

function response({ description, schema, mediaType }: Content): object {
  if (schema !== undefined) return { description, content: json(schema) };
  return { description, ...(mediaType === undefined ? {} : { content: { [mediaType]: {} } }) };
}

const FAILURE = { description: 'The failure envelope; ErrorCode lists its codes', content: json('Acknowledgement') };
