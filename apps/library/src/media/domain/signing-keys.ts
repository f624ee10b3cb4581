/** Keys by id. The first one signs, all verify, so that keys can be rotated while older URLs still work. */
export type SigningKeys = ReadonlyMap<string, Buffer>;

const MIN_KEY_BYTES = 32;

/** Parses `id:base64,…`. Returns undefined if the text is malformed or a key is too short. */
export function parseSigningKeys(text: string): SigningKeys | undefined {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const [, id, secret] = /^\s*([A-Za-z0-9_-]+):([A-Za-z0-9+/_=-]+)\s*$/.exec(entry) ?? [];
    if (id === undefined || secret === undefined) return undefined;
    const key = Buffer.from(secret, 'base64');
    if (key.length < MIN_KEY_BYTES || keys.has(id)) return undefined;
    keys.set(id, key);
  }
  return keys;
}
