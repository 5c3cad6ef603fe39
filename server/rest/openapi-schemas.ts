import { AssetSummary, ERRORS, KeyRecord, ROUTES, type Route, TokenRecord, ViewerLink } from '@runcloud/protocol';

type Schema = Readonly<Record<string, unknown>>;

export const nameOf = (schema: object): string | undefined => (schema as { readonly $id?: string }).$id;

/** The schemas of all bodies and answers, and those of the items of lists. */
const SCHEMAS: ReadonlySet<object> = new Set([
  ...Object.values<Route>(ROUTES).flatMap(({ body, answers }) => [
    ...(body?.kind === 'json' ? [body.schema] : []),
    ...Object.values(answers).flatMap(({ schema }) => (schema === undefined ? [] : [schema])),
  ]),
  AssetSummary,
  KeyRecord,
  TokenRecord,
  ViewerLink,
]);
const NAMES: ReadonlySet<unknown> = new Set([...SCHEMAS].map(nameOf));

/** Rewrites the schemas that validate requests for client generators, with the same meaning. */
export function componentSchemas(): Readonly<Record<string, unknown>> {
  const codes = Object.entries(ERRORS).map(([code, { http }]) => `${code} (${http})`);
  return {
    ...Object.fromEntries([...SCHEMAS].map((schema) => [nameOf(schema), written(schema as Schema)])),
    ErrorCode: {
      type: 'string',
      description: `Codes, with their HTTP status: ${codes.join(', ')}`,
      enum: Object.keys(ERRORS),
    },
  };
}

/** The schema of a query parameter, with its description beside it. */
export function parameterSchema(schema: object): { readonly schema: unknown; readonly description?: unknown } {
  const { description, ...rest } = written(schema as Schema) as Schema;
  return { schema: rest, ...(description === undefined ? {} : { description }) };
}

function written(root: Schema): unknown {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Schema;
    if (schema !== root && NAMES.has(schema.$id)) return { $ref: `#/components/schemas/${schema.$id}` };
    return enumerated(
      open(
        Object.fromEntries(
          Object.entries(schema)
            .filter(kept)
            .map(([k, item]) => [k, replace(item)]),
        ),
      ),
    );
  };
  return replace(root);
}

/** OpenAPI identifies schemas by their path; an `$id` would change their base URI. */
const kept = ([key, value]: [string, unknown]): boolean =>
  !(key === '$id' || key === 'words') || typeof value === 'object';

/** Generators support `enum`, but treat a `const` as any text. */
function enumerated(schema: Schema): Schema {
  const { anyOf, const: constant, ...rest } = schema;
  if (typeof constant === 'string') return { ...rest, enum: [constant] };
  const variants = anyOf as readonly { readonly type?: string; readonly enum?: readonly string[] }[] | undefined;
  const isOneOfTexts = variants?.every((variant) => variant.type === 'string' && variant.enum !== undefined);
  return isOneOfTexts ? { ...rest, type: 'string', enum: variants?.flatMap((variant) => variant.enum ?? []) } : schema;
}

/** A map with `additionalProperties` and `propertyNames`, which generators support, instead of `patternProperties`. */
function open(schema: Schema): Schema {
  const { patternProperties, additionalProperties: _other, ...rest } = schema;
  const [[pattern = '', value] = [], ...more] = Object.entries((patternProperties ?? {}) as Schema);
  if (patternProperties === undefined || more.length > 0) return schema;
  return { ...rest, ...(pattern === '^(.*)$' ? {} : { propertyNames: { pattern } }), additionalProperties: value };
}
