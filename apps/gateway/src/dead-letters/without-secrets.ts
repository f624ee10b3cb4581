const MASK = '***';
const SECRET_NAME = /token|secret|password|authorization|credential|signature|api_?key/i;

/**
 * A decoded event as JSON for operators. Events contain no secrets; this makes sure of it: members that are named like one and the query of URLs, which may be
 * signed, are masked.
 */
export const withoutSecrets = (data: unknown): string =>
  JSON.stringify(data, (name, value: unknown) => {
    if (value instanceof Uint8Array) return `${value.length} bytes`;
    if (typeof value !== 'string') return value;
    if (SECRET_NAME.test(name)) return MASK;
    return value.replace(/(https?:\/\/[^\s?#"]+)\?[^\s"]*/g, `$1?${MASK}`);
  });
