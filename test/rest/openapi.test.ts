import { ERRORS, ROUTES } from '@runcloud/protocol';
import t from 'tap';
import { openApiDocument } from '../../server/rest/openapi.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: object;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: { readonly ErrorCode: { readonly description: string; readonly enum: readonly string[] } };
  };
}

// The document as a client gets it, after serialization.
const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3', 'https://devices.example.com'))) as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

/** Every object of the document, with the place where it is. */
function* objects(value: unknown, place = '#'): Generator<[string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Readonly<Record<string, unknown>>];
  for (const [key, item] of Object.entries(value)) yield* objects(item, `${place}/${key}`);
}

function resolve(reference: string): unknown {
  let value: unknown = document;
  for (const part of reference.split('/').slice(1)) value = (value as Record<string, unknown> | undefined)?.[part];
  return value;
}

t.test('the document says which version and server it describes', async (t) => {
  t.match(document, {
    openapi: '3.1.0',
    info: { version: '1.2.3' },
    servers: [{ url: 'https://devices.example.com' }],
  });
});

t.test('it describes every route, and nothing that is no route', async (t) => {
  const described = operations.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`);
  const routes = Object.entries(ROUTES).map(([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path}`);
  t.same(described.sort(), routes.sort());
});

t.test('every operation has a summary, its path parameters and a described answer', async (t) => {
  for (const { path, operation } of operations) {
    const { operationId, summary, parameters, responses } = operation;
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    t.same(inPath.map(({ name }) => `{${name}}`).sort(), (path.match(/\{\w+\}/g) ?? []).sort(), operationId);
    t.ok(
      inPath.every(({ required }) => required),
      `${operationId}: path parameters are required`,
    );
    t.ok(summary.length > 0, `${operationId} has a summary`);
    t.equal(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)).size, parameters.length);
    for (const [status, { description, $ref }] of Object.entries(responses)) {
      t.match(status, /^(?:[1-5]\d\d|[45]XX)$/, `${operationId} ${status}`);
      t.ok(description ?? $ref, `${operationId} describes its ${status}`);
    }
  }
});

t.test(
  'a route with a credential can fail with the envelope, and a public one declares that it needs none',
  async (t) => {
    for (const { operation } of operations) {
      const { credential } = ROUTES[operation.operationId as keyof typeof ROUTES];
      const keyless = !['key', 'keyOrViewerToken'].includes(credential);
      t.same(operation.security, keyless ? [] : undefined, operation.operationId);
      for (const range of ['4XX', '5XX']) {
        t.match(operation.responses[range], { $ref: '#/components/responses/Failure' }, operation.operationId);
      }
    }
  },
);

t.test('no reference dangles and no schema keeps a name of its own', async (t) => {
  let references = 0;
  for (const [place, object] of objects(document)) {
    t.notOk('$id' in object, `${place} has no $id`);
    if (typeof object.$ref !== 'string') continue;
    references++;
    t.match(object.$ref, /^#\/components\//, place);
    t.ok(resolve(object.$ref), `${place} -> ${object.$ref}`);
  }
  t.ok(references > Object.keys(ROUTES).length, `${references} references`);
});

t.test('every pattern is a regular expression and every type one of JSON Schema', async (t) => {
  const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
  for (const [place, object] of objects(document)) {
    if (place.endsWith('/properties') || place.endsWith('/patternProperties')) continue;
    if (typeof object.pattern === 'string') t.doesNotThrow(() => new RegExp(String(object.pattern), 'u'), place);
    if (typeof object.type === 'string' && place.includes('schema'))
      t.ok(types.includes(object.type) || object.type === 'http', place);
  }
});

t.test('the failure names every code of the catalogue with its status', async (t) => {
  const { description, enum: codes } = document.components.schemas.ErrorCode;
  t.strictSame(codes, Object.keys(ERRORS));
  for (const [code, { http }] of Object.entries(ERRORS)) t.ok(description.includes(`${code} (${http})`), code);
});

t.test('schemas that generators do not understand are expressed in another way', async (t) => {
  const all = [...objects(document.components.schemas)];
  for (const [place, object] of all) {
    t.notOk(typeof object.const === 'string', `${place} is no const`);
    t.notOk('patternProperties' in object, `${place} is no map of patterns`);
  }
  const { Session, SessionList } = document.components.schemas as unknown as Record<string, Record<string, unknown>>;
  t.match(Session?.properties, {
    platform: { type: 'string', enum: ['ios', 'android'] },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  });
  t.strictSame(SessionList?.properties, {
    sessions: { type: 'array', items: { $ref: '#/components/schemas/Session' } },
    next: { type: 'string', description: 'Cursor of the next page; absent on the last page' },
  });
});

t.test('routes that take a body say so, and no other does', async (t) => {
  const withBody = operations
    .filter(({ operation }) => operation.requestBody)
    .map(({ operation }) => operation.operationId);
  t.same(withBody.sort(), [
    'acceptInvitation',
    'createKey',
    'createSession',
    'createViewerLink',
    'decideDeviceRequest',
    'interact',
    'oauthDevice',
    'oauthRevoke',
    'oauthToken',
    'openUrl',
    'readInvitation',
    'revokeAll',
    'setPassword',
    'signIn',
    'signInByLink',
    'uploadAsset',
  ]);
});
