/** Keys by id, in the order given: the first one signs, all of them verify, so that keys rotate while URLs made with the old one still work. */
export type SigningKeys = ReadonlyMap<string, Buffer>;

const MIN_KEY_BYTES = 32;

/** Reads `id:base64,…`; undefined when it is written otherwise or a key is too short. */
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
