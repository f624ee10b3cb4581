/** The storage limits of an organization. */
export interface StorageLimits {
  readonly bytes: number;
  /** Media and text documents together. */
  readonly files: number;
}

/**
 * Reads the storage limits of the call metadata, `{bytes}/{files}`. Undefined means no limit: for calls of the system itself.
 * @throws Error if the text is malformed, because it must not count as no limit
 */
export function parseStorageLimits(text: string | undefined): StorageLimits | undefined {
  if (text === undefined || text === '') return undefined;
  const [, bytes, files] = /^(\d{1,16})\/(\d{1,16})$/.exec(text) ?? [];
  if (bytes === undefined || files === undefined) throw new Error(`The call metadata has invalid storage limits: ${text}`);
  return { bytes: Number(bytes), files: Number(files) };
}
