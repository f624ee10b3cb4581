/** What an organization may store. */
export interface StorageLimits {
  readonly bytes: number;
  /** Media and text documents together. */
  readonly files: number;
}

/**
 * Reads the storage limits of a call's metadata, `{bytes}/{files}`. Undefined where nothing is limited: the system's own calls.
 * @throws Error for what the gateway never writes: taken for no limit, it would let everything in
 */
export function parseStorageLimits(text: string | undefined): StorageLimits | undefined {
  if (text === undefined || text === '') return undefined;
  const [, bytes, files] = /^(\d{1,16})\/(\d{1,16})$/.exec(text) ?? [];
  if (bytes === undefined || files === undefined) throw new Error(`The call metadata has invalid storage limits: ${text}`);
  return { bytes: Number(bytes), files: Number(files) };
}
