import type { Readable } from 'node:stream';

/**
 * Stores bytes as blobs. A blob has a unique id and is written once: by one `write`, or by several `append`s until it is sealed. A sealed blob never
 * changes. Any replica may call every function, also repeatedly after a crash. Only its writer may use a blob before it is sealed.
 */
export interface BlobStore {
  /** For logs. */
  readonly name: 'grid-fs' | 's3';
  /**
   * Stores the whole source and seals the blob. Returns its size. If it fails, or the process is killed, `remove` deletes the incomplete blob.
   * @throws Error if there is a blob with this id
   */
  write(blobId: string, source: Bytes, options?: { signal?: AbortSignal }): Promise<number>;
  /**
   * Appends to a blob; the first call, at offset 0, creates it. Returns the new size. Sizes that this function or `size` return are durable. If the
   * source fails, the bytes that arrived are kept, and its error is thrown: `size` returns where to continue. Of several concurrent appends at the same
   * offset, one succeeds and the others fail.
   * @throws OffsetConflict if the blob does not end at `offset`, is sealed or does not exist; also if that changes during the call, from there on
   */
  append(blobId: string, offset: number, source: Bytes): Promise<number>;
  /** Seals a blob that was appended to, so that it can be read. Returns its size. May be repeated. */
  seal(blobId: string): Promise<number>;
  /** The number of bytes that are durably stored; undefined if there is no such blob. */
  size(blobId: string): Promise<number | undefined>;
  /**
   * Reads bytes `start` to `end` (inclusive) of a sealed blob. Fails if there are fewer. Uses at most a few MiB of memory. Destroying the stream
   * releases its resources.
   */
  read(blobId: string, start: number, end: number): Readable;
  /** Deletes a blob, also one that is not sealed: its running writers fail and leave no bytes. May be repeated. */
  remove(blobId: string): Promise<void>;
  /** A signed URL of the store for a sealed blob. It supports GET but not HEAD. Undefined if the store cannot serve this blob by URL. */
  presign?(blobId: string, options: { expiresInSeconds: number; mimeType: string; disposition: string }): Promise<string | undefined>;
  close(): void;
}

export type Bytes = AsyncIterable<Uint8Array>;

/** An append at an offset that is not the end of the blob: another append was faster, or the blob is sealed or deleted. */
export class OffsetConflict extends Error {
  override readonly name = 'OffsetConflict';
  /** The current size; undefined if there is no such blob. */
  readonly size: number | undefined;

  constructor(blobId: string, offset: number, size: number | undefined, isSealed: boolean) {
    const state = size === undefined ? 'does not exist' : isSealed ? `is sealed with ${size} bytes` : `has ${size} bytes`;
    super(`Cannot append at offset ${offset}: blob ${blobId} ${state}.`);
    this.size = size;
  }
}
