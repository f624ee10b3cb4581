import type { Readable } from 'node:stream';

/**
 * Where bytes are kept. A blob has an id of its own and is written once: in one go, or piece by piece until it is sealed. Nothing changes it after
 * that. Every function may be called by any replica, and again after a crash. A blob that is not sealed is nobody's yet: only its writer reads it.
 */
export interface BlobStore {
  /** Which one it is, for logs. */
  readonly name: 'grid-fs' | 's3';
  /**
   * Stores all of the source and seals it; returns its size. When it fails, or its process is killed, what it left is for `remove`.
   * @throws Error when something is stored under this id
   */
  write(blobId: string, source: Bytes, options?: { signal?: AbortSignal }): Promise<number>;
  /**
   * Adds to a blob, which begins with the first call, at offset 0. Returns its size after the last byte of the source. All bytes up to a size
   * that this or `size` answers with are stored for good. When the source breaks off, what arrived is kept, and its error is thrown: `size` tells
   * where to go on. Of several that write at the same offset one gets on and the others fail, whatever they carry.
   * @throws OffsetConflict when the blob does not end at `offset`, no longer does, is sealed, or is gone; nothing of the source is kept from there on
   */
  append(blobId: string, offset: number, source: Bytes): Promise<number>;
  /** Ends a blob that was appended to; it can be read from then on. Returns its size. May be repeated. */
  seal(blobId: string): Promise<number>;
  /** How many bytes are stored for good; undefined when there is no such blob. */
  size(blobId: string): Promise<number | undefined>;
  /**
   * Bytes `start` to `end`, both included, of a sealed blob; fails rather than give fewer. Holds no more than a few MiB in memory. Destroying the
   * stream frees what it holds.
   */
  read(blobId: string, start: number, end: number): Readable;
  /** Removes it, or what there is of one that was never finished. A writer that is still at it fails and leaves nothing. May be repeated. */
  remove(blobId: string): Promise<void>;
  /** A URL of the store's own that serves a sealed blob until it expires, to GET but not to HEAD. Undefined when it has none of this blob. */
  presign?(blobId: string, options: { expiresInSeconds: number; mimeType: string; disposition: string }): Promise<string | undefined>;
  close(): void;
}

export type Bytes = AsyncIterable<Uint8Array>;

/** The blob does not end where somebody wanted to go on: another was faster, or it is sealed or gone. */
export class OffsetConflict extends Error {
  override readonly name = 'OffsetConflict';
  /** Where it ends; undefined when there is no such blob. */
  readonly size: number | undefined;

  constructor(blobId: string, offset: number, size: number | undefined, isSealed: boolean) {
    const state = size === undefined ? 'does not exist' : isSealed ? `is sealed with ${size} bytes` : `has ${size} bytes`;
    super(`Cannot append at offset ${offset}: blob ${blobId} ${state}.`);
    this.size = size;
  }
}
