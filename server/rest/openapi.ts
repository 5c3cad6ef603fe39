import { Acknowledgement, type Answer, CREDENTIAL_PARAMETERS, ROUTES, type Route } from '@runcloud/protocol';
import { componentSchemas, nameOf, parameterSchema } from './openapi-schemas.ts';

/** Schemas of parameters that are not plain text. */
const PARAMETER_SCHEMAS: Readonly<Record<string, object>> = {
  platform: { type: 'string', enum: ['ios', 'android'] },
};

/** The OpenAPI 3.1 document, generated from the schemas that validate requests. */
export function openApiDocument(version: string, serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries<Route>(ROUTES)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route) };
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

function operation(operationId: string, route: Route): object {
  const { path, summary, credential, headers = {}, body, answers } = route;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path')),
    ...queryParameters(route),
    ...Object.entries(headers).map(([name, description]) => ({
      ...parameter(name, 'header'),
      description,
    })),
  ];
  return {
    operationId,
    summary,
    ...(credential === 'key' || credential === 'keyOrViewerToken' ? {} : { security: [] }),
    parameters,
    ...(body ? { requestBody: { required: true, content: contentOf(body) } } : {}),
    responses: {
      ...Object.fromEntries(Object.entries(answers).map(([status, content]) => [status, response(content)])),
      '4XX': { $ref: '#/components/responses/Failure' },
      '5XX': { $ref: '#/components/responses/Failure' },
    },
  };
}

function queryParameters({ credential, query }: Route): object[] {
  if (credential === 'viewerToken' || credential === 'reference') {
    return [parameter(CREDENTIAL_PARAMETERS[credential], 'query')];
  }
  return Object.entries(query?.schema.properties ?? {}).map(([name, schema]) => {
    return { ...parameter(name, 'query'), ...parameterSchema(schema) };
  });
}

const parameter = (name: string, place: 'path' | 'query' | 'header'): object => ({
  name,
  in: place,
  required: place === 'path',
  schema: PARAMETER_SCHEMAS[name] ?? { type: 'string' },
});

function contentOf(body: NonNullable<Route['body']>): object {
  switch (body.kind) {
    case 'json':
      return json(body.schema);
    case 'form':
      return form(body.fields);
    case 'stream':
      // In OpenAPI 3.1 a media type without a schema means raw bytes.
      return Object.fromEntries(body.mediaTypes.map((type) => [type, {}]));
  }
}

const json = (schema: object): object => ({
  'application/json': { schema: { $ref: `#/components/schemas/${nameOf(schema)}` } },
});

const form = (names: readonly string[]): object => ({
  'application/x-www-form-urlencoded': {
    schema: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) },
  },
});

function response({ description, schema, mediaType }: Answer): object {
  if (schema !== undefined) return { description, content: json(schema) };
  return { description, ...(mediaType === undefined ? {} : { content: { [mediaType]: {} } }) };
}

const FAILURE = { description: 'The failure envelope; ErrorCode lists its codes', content: json(Acknowledgement) };
