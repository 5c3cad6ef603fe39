import { Acknowledgement, type Answer, CHAPTERS, CREDENTIAL_PARAMETERS, type Route } from '@runcloud/protocol';
import { exampleOf, examplesOf } from './openapi-examples.ts';
import { PARAMETERS } from './openapi-parameters.ts';
import { componentSchemas, nameOf, parameterSchema } from './openapi-schemas.ts';

const INTRODUCTION = `Remote control of iOS Simulators and Android Emulators.

Create a session, act on it, look at it, and release it:

\`\`\`sh
curl -H "Authorization: Bearer $RUNCLOUD_API_KEY" -H "Content-Type: application/json" \\
  -d '{ "platform": "ios" }' "$RUNCLOUD_BASE_URL/service/sessions"
\`\`\`

- **Credential.** Send an API key, or an access token, as \`Authorization: Bearer\`.
- **Failures.** Every failure is an \`Acknowledgement\` with \`ok: false\` and an \`error\`. Decide by \`error.code\`; where
  \`error.retryable\` is true, the same request may succeed later, after \`Retry-After\` seconds if the header is there.
- **Repeating.** After a lost answer, send the same \`requestId\` (interactions) or \`Idempotency-Key\` (sessions,
  recordings) again: there is no second effect, and you get the first outcome.
- **Finding a request.** Every answer has the header \`X-Service-Request-ID\`: what the request is known by in the service's log. Send it to
  choose the id of a call that has no \`requestId\`.
- **Unknown fields** are refused, and the refusal names them.`;

/** The OpenAPI 3.1 document, made from the schemas that validate requests, without the routes of the service's own pages. */
export function openApiDocument(version: string, serverUrl: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const { name: tag, routes } of CHAPTERS) {
    for (const [name, route] of Object.entries(routes)) {
      if (!isDescribed(route)) continue;
      paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, tag, route) };
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'RunCloud API',
      version,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ key: [] }],
    tags: CHAPTERS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, or an access token of the device flow' },
      },
      schemas: componentSchemas(),
      responses: { Failure: FAILURE },
    },
  };
}

/** OpenAPI has no words for what is said over a WebSocket; the chapter of the control socket names its document. */
const isDescribed = ({ internal, answers }: Route): boolean => !internal && !(101 in answers);

function operation(operationId: string, tag: string, route: Route): object {
  const { path, summary, description, credential, headers = {}, body, answers } = route;
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => parameter(name, 'path')),
    ...queryParameters(route),
    ...Object.entries(headers).map(([name, said]) => ({ ...parameter(name, 'header'), description: said })),
  ];
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(credential === 'key' || credential === 'keyOrViewerToken' || credential === 'keyOrSessionToken'
      ? {}
      : { security: [] }),
    ...(parameters.length > 0 ? { parameters } : {}),
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
    return [{ ...parameter(CREDENTIAL_PARAMETERS[credential], 'query'), required: true }];
  }
  return Object.entries(query?.schema.properties ?? {}).map(([name, schema]) => {
    return { ...parameter(name, 'query'), ...parameterSchema(schema) };
  });
}

const parameter = (name: string, place: 'path' | 'query' | 'header'): object => ({
  name,
  in: place,
  required: place === 'path',
  ...(PARAMETERS[name] ?? { schema: { type: 'string' } }),
});

function contentOf(body: NonNullable<Route['body']>): object {
  switch (body.kind) {
    case 'json':
      return { 'application/json': { schema: refTo(body.schema), ...examplesOf(body.schema) } };
    case 'form':
      return { 'application/x-www-form-urlencoded': { schema: refTo(body.schema), ...examplesOf(body.schema) } };
    case 'stream':
      // In OpenAPI 3.1 a media type without a schema means raw bytes.
      return Object.fromEntries(body.mediaTypes.map((type) => [type, {}]));
  }
}

const refTo = (schema: object): object => ({ $ref: `#/components/schemas/${nameOf(schema)}` });

function response({ description, schema, mediaType, streamType, otherType }: Answer): object {
  if (schema !== undefined) {
    const json = { 'application/json': { schema: refTo(schema), example: exampleOf(schema) } };
    const others = [streamType, otherType].filter((type) => type !== undefined).map((type) => [type, {}]);
    return { description, content: { ...json, ...Object.fromEntries(others) } };
  }
  const types = [mediaType, otherType].filter((type) => type !== undefined);
  return {
    description,
    ...(types.length === 0 ? {} : { content: Object.fromEntries(types.map((type) => [type, {}])) }),
  };
}

/** What a refusal says; an acknowledgement has no `error` in its own example, since a success has none. */
function failureExample(): object {
  const { result: _result, ...named } = exampleOf(Acknowledgement) as Readonly<Record<string, unknown>>;
  return { ...named, ok: false, status: 'failed', error: exampleOf(Acknowledgement.properties.error) };
}

const FAILURE = {
  description: 'Why the request failed',
  content: { 'application/json': { schema: refTo(Acknowledgement), example: failureExample() } },
};
