/** Examples of bodies, put together from those of their fields. */

interface Said {
  readonly type?: unknown;
  readonly const?: unknown;
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly anyOf?: readonly Said[];
  readonly items?: Said;
  readonly properties?: Readonly<Record<string, Said>>;
  readonly required?: readonly string[];
}

/** A value that a schema accepts: its own example, else one made of its fields'. */
export function exampleOf(schema: object): unknown {
  const { examples, const: constant, anyOf, type, items, properties = {}, required = [] } = schema as Said;
  if (examples !== undefined) return examples[0];
  if (constant !== undefined) return constant;
  if (anyOf?.[0]) return exampleOf(anyOf[0]);
  if (type === 'boolean') return true;
  if (type === 'array' && items) return [exampleOf(items)];
  if (type !== 'object') return undefined;
  // Optional fields may contradict each other: a schema that wants them has an example of its own.
  return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
}

/** The `example` or, of a body of several kinds, the `examples` of a media type. */
export function examplesOf(schema: object): object {
  const { anyOf } = schema as Said;
  if (anyOf === undefined) return { example: exampleOf(schema) };
  const kinds = anyOf.map((kind) => {
    const value = exampleOf(kind) as { readonly action: string };
    return [value.action, { summary: kind.description, value }];
  });
  return { examples: Object.fromEntries(kinds) };
}
