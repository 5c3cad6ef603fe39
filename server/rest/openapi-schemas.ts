import { ROUTES, type Route } from '@runcloud/protocol';

type Schema = Readonly<Record<string, unknown>>;

export const nameOf = (schema: object): string | undefined => (schema as { readonly $id?: string }).$id;

/** Every schema with a name that the bodies and answers consist of, by its name. */
const SCHEMAS: ReadonlyMap<string, Schema> = namedSchemas();

function namedSchemas(): ReadonlyMap<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const name = nameOf(value);
    if (typeof name === 'string' && !found.has(name)) found.set(name, value as Schema);
    for (const part of Object.values(value)) visit(part);
  };
  for (const { internal, body, answers } of Object.values<Route>(ROUTES)) {
    if (internal) continue;
    if (body?.kind === 'json' || body?.kind === 'form') visit(body.schema);
    for (const { schema } of Object.values(answers)) visit(schema);
  }
  return found;
}

/** Rewrites the schemas that validate requests for client generators, with the same meaning. */
export function componentSchemas(): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...SCHEMAS].map(([name, schema]) => [name, written(schema)]));
}

/** The schema of a query parameter, with its description beside it. */
export function parameterSchema(schema: object): { readonly schema: unknown; readonly description?: unknown } {
  const { description, ...rest } = written(schema as Schema) as Schema;
  const { default: fallback } = schema as Schema;
  return {
    schema: { ...rest, ...(fallback === undefined ? {} : { default: fallback }) },
    ...(description === undefined ? {} : { description }),
  };
}

function written(root: Schema): unknown {
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'object' || value === null) return value;
    const schema = value as Schema;
    if (schema !== root && SCHEMAS.has(String(schema.$id))) return { $ref: `#/components/schemas/${schema.$id}` };
    // A schema that contains itself.
    if (SCHEMAS.has(String(schema.$ref))) return { $ref: `#/components/schemas/${schema.$ref}` };
    const parts = Object.entries(schema).filter(kept);
    return undefaulted(
      enumerated(
        discriminated(
          open(Object.fromEntries(parts.map(([key, part]) => [key, AS_IT_IS.has(key) ? part : replace(part)]))),
        ),
      ),
    );
  };
  return replace(root);
}

/** Values, not schemas. */
const AS_IT_IS: ReadonlySet<string> = new Set(['examples', 'required']);

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

/** The variants of an interaction are told apart by their `action`. */
function discriminated(schema: Schema): Schema {
  const { anyOf, ...rest } = schema;
  const references = (anyOf as readonly Schema[] | undefined)?.map(({ $ref }) => String($ref)) ?? [];
  const actions = references.map((reference) => actionOf(reference));
  if (actions.length === 0 || actions.includes(undefined)) return schema;
  const mapping = Object.fromEntries(references.map((reference, index) => [String(actions[index]), reference]));
  return { ...rest, oneOf: anyOf, discriminator: { propertyName: 'action', mapping } };
}

function actionOf(reference: string): string | undefined {
  const { properties } = SCHEMAS.get(reference.split('/').at(-1) ?? '') ?? {};
  return (properties as { readonly action?: { readonly const?: string } } | undefined)?.action?.const;
}

/** Generators take a field with a `default` for one that is always there, and would require it of requests. */
function undefaulted(schema: Schema): Schema {
  const { default: fallback, description, ...rest } = schema;
  if (fallback === undefined) return schema;
  return { ...rest, description: `${description}; default: ${fallback}` };
}

/** A map with `additionalProperties` and `propertyNames`, which generators support, instead of `patternProperties`. */
function open(schema: Schema): Schema {
  const { patternProperties, additionalProperties: _other, ...rest } = schema;
  const [[pattern = '', value] = [], ...more] = Object.entries((patternProperties ?? {}) as Schema);
  if (patternProperties === undefined || more.length > 0) return schema;
  return { ...rest, ...(pattern === '^(.*)$' ? {} : { propertyNames: { pattern } }), additionalProperties: value };
}
