import { createHash } from 'node:crypto';

/** Deeper than any schema. Bodies that differ only below this depth have the same fingerprint, and the schema rejects them all. */
const MAX_DEPTH = 500;

/** What makes two requests the same: SHA-256 over method, path and the body's canonical JSON, hex. */
export function fingerprint(method: string, path: string, body: unknown): string {
  return createHash('sha256')
    .update(`${method} ${path}\n${canonicalJson(body, 0)}`)
    .digest('hex');
}

/** Members in the order of their names' UTF-16 code units, numbers as ECMAScript writes them, no white space (RFC 8785). */
function canonicalJson(value: unknown, depth: number): string {
  if (value === undefined || depth > MAX_DEPTH) return '';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  const members = value as Record<string, unknown>;
  // JSON.parse makes a member called __proto__ an own member, so Object.keys lists it and a plain read returns it.
  const written = Object.keys(members)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(members[name], depth + 1)}`);
  return `{${written.join(',')}}`;
}
