import { compileCheck, ERRORS, ROUTES, type Route } from '@runcloud/protocol';
import t from 'tap';
import { openApiDocument } from '../../server/rest/openapi.ts';
import { exampleOf } from '../../server/rest/openapi-examples.ts';

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, unknown>> };
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
}
interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

// The document as a client gets it, after serialization.
const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3', 'https://devices.example.com'))) as Document;
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);
/** All but those of the service's own pages, and the control socket, which is not HTTP. */
const described = Object.entries<Route>(ROUTES).filter(([name, { internal }]) => !internal && name !== 'control');

/** Every object of the document, with the place where it is. */
function* objects(value: unknown, place = '#'): Generator<[string, Readonly<Record<string, unknown>>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Readonly<Record<string, unknown>>];
  for (const [key, item] of Object.entries(value)) yield* objects(item, `${place}/${key.replaceAll('/', '~1')}`);
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

t.test('it describes every route that programs call, and nothing else', async (t) => {
  const found = operations.map(({ path, method, operation }) => `${operation.operationId} ${method} ${path}`);
  const routes = described.map(([name, { method, path }]) => `${name} ${method.toLowerCase()} ${path}`);
  t.same(found.sort(), routes.sort());
  for (const path of ['/dashboard', '/viewer/{file}', '/view/{sessionId}', '/service/account/sign-in']) {
    t.notOk(path in document.paths, path);
  }
});

t.test('every operation has a chapter, a summary and a description, and every chapter has operations', async (t) => {
  const chapters = document.tags.map(({ name }) => name);
  for (const { name, description } of document.tags) t.ok(description.length > 10, name);
  for (const { operation } of operations) {
    const { operationId, tags, summary, description } = operation;
    t.ok(tags.length === 1 && chapters.includes(tags[0] ?? ''), operationId);
    t.match(summary, /^[A-Z].*[^.]$/, operationId);
    t.match(description, /^[A-Z].*[^ ]\.$/s, operationId);
    t.not(summary, description);
  }
  t.strictSame(new Set(operations.flatMap(({ operation }) => operation.tags)), new Set(chapters));
});

/** Whether a reader learns what it is: of an enumeration from its values, of another value from an example. */
const isExemplified = ({ type, enum: values, examples, $ref }: Schema): boolean =>
  $ref !== undefined || values !== undefined || examples !== undefined || type === 'boolean' || type === 'array';

t.test('every parameter and every field is described, and every text and number has an example', async (t) => {
  let fields = 0;
  for (const [place, object] of objects(document.components.schemas)) {
    const { properties } = object as Schema;
    for (const [name, field] of Object.entries(place.endsWith('/properties') ? {} : (properties ?? {}))) {
      fields++;
      const { description } = (field.$ref === undefined ? field : resolve(field.$ref)) as Schema;
      const isNamed = field.$ref !== undefined;
      t.ok(isNamed || (description ?? '').length > 3, `${place}/${name} is described`);
      if (!hasBounds(field)) t.ok(isExemplified(field), `${place}/${name} has an example`);
    }
  }
  t.ok(fields > 150, `${fields} fields`);
  for (const { operation } of operations) {
    for (const { name, description } of operation.parameters ?? []) {
      t.ok((description ?? '').length > 3, `${operation.operationId} ${name} is described`);
    }
  }
});

/** Its range shows what it is. */
const hasBounds = (schema: object): boolean => 'minimum' in schema && 'maximum' in schema;

t.test('every body and every answer has an example, which its schema accepts', async (t) => {
  let examples = 0;
  for (const [name, { body, answers }] of described) {
    const schemas = Object.values(answers).flatMap(({ schema }) => (schema ? [schema] : []));
    if (body?.kind === 'json' || body?.kind === 'form') schemas.push(body.schema);
    for (const schema of schemas) {
      const kinds = Array.isArray(schema.anyOf) ? schema.anyOf : [schema];
      for (const kind of kinds) {
        examples++;
        t.equal(compileCheck(kind)(exampleOf(kind)), undefined, `${name}: ${schema.$id} ${kind.$id}`);
      }
      t.equal(compileCheck(schema)(exampleOf(schema)), undefined, `${name}: ${schema.$id}`);
    }
    if (body?.kind === 'json') t.ok(body.check(exampleOf(body.schema)).ok, `${name} takes the example of its body`);
  }
  t.ok(examples > 60, `${examples} examples`);
  for (const [place, object] of objects(document)) {
    if (place.endsWith('/application~1json') && 'schema' in object)
      t.ok('example' in object || 'examples' in object, place);
  }
  t.match(resolve('#/components/responses/Failure/content'), {
    'application/json': { example: { ok: false, status: 'failed', error: { code: 'active_session_not_found' } } },
  });
});

t.test('no field of a body has a default, which generators take for a field that must be there', async (t) => {
  for (const [place, object] of objects(document.components.schemas)) t.notOk('default' in object, place);
  const { TapInteraction } = document.components.schemas;
  t.match(TapInteraction?.properties?.timeoutMs?.description, /; default: 15000$/);
  const { parameters = [] } =
    operations.find(({ operation }) => operation.operationId === 'listSessions')?.operation ?? {};
  t.match(parameters, [{ name: 'limit', schema: { default: 50 } }], 'a query says its default');
});

t.test('every operation has its path parameters and described answers', async (t) => {
  for (const { path, operation } of operations) {
    const { operationId, parameters = [], responses } = operation;
    const inPath = parameters.filter((parameter) => parameter.in === 'path');
    t.same(inPath.map(({ name }) => `{${name}}`).sort(), (path.match(/\{\w+\}/g) ?? []).sort(), operationId);
    t.ok(
      inPath.every(({ required }) => required),
      `${operationId}: path parameters are required`,
    );
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
      const keyless = !['key', 'keyOrViewerToken', 'keyOrSessionToken'].includes(credential);
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
  t.ok(references > described.length, `${references} references`);
});

t.test('every pattern is a regular expression and every type one of JSON Schema', async (t) => {
  const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
  for (const [place, object] of objects(document)) {
    if (place.endsWith('/properties') || /\/examples?\b/.test(place)) continue;
    if (typeof object.pattern === 'string') t.doesNotThrow(() => new RegExp(String(object.pattern), 'u'), place);
    if (typeof object.type === 'string' && place.includes('schema'))
      t.ok(types.includes(object.type) || object.type === 'http', place);
  }
});

t.test('the code of an error is one of the catalogue', async (t) => {
  const { ErrorCode, Error: error } = document.components.schemas;
  t.strictSame(ErrorCode?.enum, Object.keys(ERRORS));
  t.strictSame(error?.properties?.code, { $ref: '#/components/schemas/ErrorCode' });
});

t.test('schemas that generators do not understand are expressed in another way', async (t) => {
  const all = [...objects(document.components.schemas)];
  for (const [place, object] of all) {
    t.notOk(typeof object.const === 'string', `${place} is no const`);
    t.notOk('patternProperties' in object, `${place} is no map of patterns`);
  }
  const { Session, SessionList } = document.components.schemas;
  t.match(Session?.properties, {
    platform: { type: 'string', enum: ['ios', 'android'] },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  });
  t.match(SessionList?.properties, {
    sessions: { type: 'array', items: { $ref: '#/components/schemas/Session' } },
  });
  t.match(document.components.schemas.Interaction, {
    oneOf: [{ $ref: '#/components/schemas/TapInteraction' }],
    discriminator: { propertyName: 'action', mapping: { tap: '#/components/schemas/TapInteraction' } },
  });
});

t.test('routes that take a body say so, and no other does', async (t) => {
  const withBody = operations
    .filter(({ operation }) => operation.requestBody)
    .map(({ operation }) => operation.operationId);
  t.same(withBody.sort(), [
    'addMedia',
    'askControl',
    'checkUi',
    'createKey',
    'createSession',
    'createSnapshot',
    'createViewerLink',
    'decideDeviceRequest',
    'interact',
    'mcp',
    'oauthDevice',
    'oauthRevoke',
    'oauthToken',
    'openUrl',
    'pushFile',
    'revokeAll',
    'setPassword',
    'uploadAsset',
    'waitUi',
    'writeClipboard',
  ]);
});
