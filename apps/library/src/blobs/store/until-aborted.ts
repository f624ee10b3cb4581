import { addAbortSignal, Readable } from 'node:stream';
import type { Bytes } from './blob-store.ts';

/** Passes the source on, and fails when the signal is aborted, even while the source is idle. */
export function untilAborted(source: Bytes, signal: AbortSignal | undefined): Bytes {
  if (!signal) return source;
  return addAbortSignal(signal, source instanceof Readable ? source : Readable.from(source, { objectMode: false }));
}
