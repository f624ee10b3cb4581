/** A message in the JSON of the API: snake_case members, enum values without their prefix and in lower case. */
export function toPublicJson(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toPublicJson);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [snakeCase(name), enumValue(name, member) ?? toPublicJson(member)]),
    );
  }
  return value;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** ts-proto names enum values like the proto: ORGANIZATION_MODE_TEST in a member that is called mode. */
function enumValue(name: string, value: unknown): string | undefined {
  const prefixed = typeof value === 'string' ? new RegExp(`^[A-Z_]+_${snakeCase(name).toUpperCase()}_([A-Z_]+)$`).exec(value) : null;
  return prefixed?.[1]?.toLowerCase();
}
