import { z } from 'zod';

/** A body with one invalid value, and the field that the error must name. */
export interface BadBody {
  readonly param: string;
  readonly why: string;
  readonly body: Record<string, unknown>;
}

interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Every body that its schema rejects, with one invalid field each: wrong types, out of range, too long, not in an enum, unknown. */
export function badBodies(body: z.ZodType): BadBody[] {
  const described = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema;
  const schema = inlined(described, described.$defs ?? {});
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    badValues(field).map(({ at, why, value }) => ({ param: [name, ...at].join('.'), why, body: { [name]: value } })),
  );
}

function inlined(schema: Schema, definitions: Readonly<Record<string, Schema>>): Schema {
  const name = schema.$ref?.split('/').at(-1);
  // A schema that only the API description shows is an object.
  const plain = name === undefined ? schema : { ...(definitions[name] ?? { type: 'object' }), ...schema };
  const each = (list: readonly Schema[]) => list.map((one) => inlined(one, definitions));
  return {
    ...plain,
    ...(plain.anyOf && { anyOf: each(plain.anyOf) }),
    ...(plain.oneOf && { oneOf: each(plain.oneOf) }),
    ...(plain.items && { items: inlined(plain.items, definitions) }),
    ...(plain.properties && {
      properties: Object.fromEntries(Object.entries(plain.properties).map(([key, value]) => [key, inlined(value, definitions)])),
    }),
  };
}

interface BadValue {
  readonly at: readonly string[];
  readonly why: string;
  readonly value: unknown;
}

const SAMPLES = { string: 'x', integer: 7, number: 7, boolean: true, array: [], object: {}, null: null } as const;

function badValues(schema: Schema): BadValue[] {
  const alternatives = schema.anyOf ?? schema.oneOf ?? [schema];
  const types = new Set(alternatives.flatMap(({ type }) => type ?? []));
  if (types.size === 0) return []; // Any value is valid.
  const wrongTypes = Object.entries(SAMPLES)
    .filter(([type]) => !types.has(type) && !(type === 'integer' && types.has('number')) && !(type === 'number' && types.has('integer')))
    .map(([type, value]) => ({ at: [], why: `is of type ${type}`, value }));
  const [main] = alternatives.filter(({ type }) => type !== 'null');
  return alternatives.length > 2 || !main ? wrongTypes : [...wrongTypes, ...outOfBounds(main)];
}

function outOfBounds(schema: Schema): BadValue[] {
  const bad: BadValue[] = [];
  const add = (why: string, value: unknown, at: readonly string[] = []) => bad.push({ at, why, value });
  if (schema.enum) add('is not in the enum', 'no-such-value');
  if (schema.maxLength !== undefined) add('is too long', 'x'.repeat(schema.maxLength + 1));
  if (schema.minLength !== undefined && schema.minLength > 0) add('is too short', '');
  if (schema.minimum !== undefined && schema.minimum > Number.MIN_SAFE_INTEGER) add('is too small', schema.minimum - 1);
  if (schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER) add('is too large', schema.maximum + 1);
  if (schema.type === 'integer') add('is not a whole number', 1.5);
  if (schema.type === 'string') add('contains an unpaired surrogate', '\ud800');
  if (schema.maxItems !== undefined)
    add(
      'has too many items',
      Array.from({ length: schema.maxItems + 1 }, (_, index) => String(index)),
    );
  if (schema.minItems !== undefined && schema.minItems > 0) add('has too few items', []);
  if (schema.items) for (const inner of badValues(schema.items)) add(inner.why, [inner.value], ['0', ...inner.at]);
  if (schema.properties) {
    add('has an unknown field', { no_such_field: 1 }, ['no_such_field']);
    for (const [name, field] of Object.entries(schema.properties)) {
      for (const inner of badValues(field)) add(inner.why, { [name]: inner.value }, [name, ...inner.at]);
    }
  }
  return bad;
}
