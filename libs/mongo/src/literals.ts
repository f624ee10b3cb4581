/**
 * The fields as values for a `$set` stage of a pipeline. Without `$literal`, a text from outside that begins with a dollar sign would be the path of a field.
 * Undefined fields are left out, as in all writes.
 */
export function literals(fields: object): Record<string, { $literal: unknown }> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, { $literal: value as unknown }]));
}
