import { invalid } from './errors.ts';

export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchema;
  readonly enum?: readonly unknown[];
}

/** Structured outputs in strict mode: every object lists all its properties as required, and allows no others. */
export function checkStrict(schema: JsonSchema, name: string, at: readonly string[] = []): void {
  const reject = (what: string) =>
    invalid(
      `Invalid schema for response_format '${name}': In context=(${at.map((part) => `'${part}'`).join(', ')}), ${what}`,
      'response_format',
      'invalid_json_schema',
    );
  if (at.length === 0 && schema.type !== 'object') throw reject(`schema must be a JSON Schema of 'type: "object"'.`);
  if (schema.type === 'object') {
    if (schema.additionalProperties !== false) throw reject(`'additionalProperties' is required to be supplied and to be false.`);
    for (const [property, of] of Object.entries(schema.properties ?? {})) {
      if (!schema.required?.includes(property))
        throw reject(`'required' is required to be supplied and to be an array including every key in properties. Missing '${property}'.`);
      checkStrict(of, name, [...at, 'properties', property]);
    }
  }
  if (schema.items) checkStrict(schema.items, name, [...at, 'items']);
}
