import {
  Acknowledgement,
  ASSET_MEDIA_TYPES,
  AssetList,
  AssetRecord,
  CreatedViewerLink,
  CreateSession,
  CreateViewerLink,
  DeletedAsset,
  ERRORS,
  InteractionBody,
  OpenUrlRequest,
  OpenUrlResult,
  RecordingDetails,
  RecordingList,
  RecordingRecord,
  RevokedViewerLink,
  ROUTES,
  type Route,
  type RouteName,
  SessionRecord,
  ViewerLink,
  ViewerLinkList,
} from '@runcloud/protocol';

interface Content {
  readonly description: string;
  readonly schema?: string;
  readonly mediaType?: string;
}

interface Operation {
  readonly body?: string;
  /** Of a body that is no JSON: any of these. */
  readonly mediaTypes?: readonly string[];
  readonly answers: Readonly<Record<number, Content>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: readonly string[];
}

const SESSION: Content = { description: 'The session', schema: 'Session' };
const RECORDING: Content = { description: 'The recording', schema: 'Recording' };
const VIDEO: Content = { description: 'The file', mediaType: 'video/mp4' };
const TEXT: Content = { description: 'Plain text', mediaType: 'text/plain' };
const PAGE: Content = { description: 'A page for people', mediaType: 'text/html' };
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
  listSessions: { query: ['platform', 'status'], answers: { 200: OBJECT } },
  getSession: { answers: { 200: SESSION } },
  deleteSession: { answers: { 200: SESSION } },
  createViewerLink: {
    body: 'CreateViewerLink',
    answers: { 201: { description: 'The link, with its address this once', schema: 'CreatedViewerLink' } },
  },
  listViewerLinks: {
    answers: { 200: { description: 'The links that open the session now', schema: 'ViewerLinkList' } },
  },
  revokeViewerLink: { answers: { 200: { description: 'The link opens nothing', schema: 'RevokedViewerLink' } } },
  uploadAsset: {
    mediaTypes: ASSET_MEDIA_TYPES,
    answers: { 201: { description: 'The app, as its package describes it', schema: 'Asset' } },
  },
  listAssets: { answers: { 200: { description: "The account's apps", schema: 'AssetList' } } },
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
  cancelInteraction: { answers: { 200: OBJECT } },
  openUrl: { body: 'OpenUrl', answers: { 200: { description: 'What took the URL', schema: 'OpenUrlResult' } } },
  screenshot: {
    headers: { 'X-Service-Request-ID': '1 to 128 characters; comes back in the answer' },
    answers: { 200: { description: 'The display', mediaType: 'image/png' } },
  },
  startRecording: {
    headers: { 'Idempotency-Key': "1 to 200 printable characters; the same key again gives the session's recording" },
    answers: { 200: { ...RECORDING, description: 'The recording that this Idempotency-Key started' }, 201: RECORDING },
  },
  listRecordings: { answers: { 200: { description: 'Newest first, at most 100', schema: 'RecordingList' } } },
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
};

const SCHEMAS = [
  SessionRecord,
  CreateSession,
  InteractionBody,
  Acknowledgement,
  OpenUrlRequest,
  OpenUrlResult,
  AssetRecord,
  AssetList,
  DeletedAsset,
  CreateViewerLink,
  CreatedViewerLink,
  ViewerLink,
  ViewerLinkList,
  RevokedViewerLink,
  RecordingRecord,
  RecordingDetails,
  RecordingList,
];

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
  const schemas = Object.fromEntries(SCHEMAS.map((schema) => [schema.$id, withoutIds(schema)]));
  return {
    openapi: '3.1.0',
    info: {
      title: 'RunCloud',
      version,
      description: 'Remote control of iOS Simulators and Android Emulators',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas,
      responses: { Failure: failureResponse() },
    },
  };
}

function operation(operationId: string, { path, summary, scope }: Route, parts: Operation): object {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path')),
    ...(parts.query ?? []).map((name) => parameter(name, 'query')),
    ...Object.entries(parts.headers ?? {}).map(([name, description]) => ({
      ...parameter(name, 'header'),
      description,
    })),
  ];
  return {
    operationId,
    summary,
    ...(scope === 'public' || scope === 'page' || scope === 'reference' ? { security: [] } : {}),
    parameters,
    ...requestBody(parts),
    responses: {
      ...Object.fromEntries(Object.entries(parts.answers).map(([status, content]) => [status, response(content)])),
      ...(scope === 'public' ? {} : { default: { $ref: '#/components/responses/Failure' } }),
    },
  };
}

const parameter = (name: string, place: 'path' | 'query' | 'header'): object => ({
  name,
  in: place,
  required: place === 'path',
  schema: PARAMETER_SCHEMAS[name] ?? { type: 'string' },
});

function requestBody({ body, mediaTypes }: Operation): object {
  if (body !== undefined) return { requestBody: { required: true, content: json(body) } };
  if (!mediaTypes) return {};
  // In OpenAPI 3.1 a media type without a schema stands for its bytes.
  return { requestBody: { required: true, content: Object.fromEntries(mediaTypes.map((type) => [type, {}])) } };
}

const json = (schema: string): object => ({
  'application/json': { schema: { $ref: `#/components/schemas/${schema}` } },
});

function response({ description, schema, mediaType }: Content): object {
  if (schema !== undefined) return { description, content: json(schema) };
  return { description, ...(mediaType === undefined ? {} : { content: { [mediaType]: {} } }) };
}

function failureResponse(): object {
  const codes = Object.entries(ERRORS).map(([code, { http }]) => `${code} (${http})`);
  return { description: `The failure envelope. Codes: ${codes.join(', ')}`, content: json('Acknowledgement') };
}

/** OpenAPI names schemas by their place; an `$id` inside would give them another base. */
function withoutIds(schema: object): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === '$id' || key === 'words' ? undefined : value)));
}
