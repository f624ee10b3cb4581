import { addAbortSignal, Readable } from 'node:stream';
import type { Bytes } from './blob-store.ts';

/** The same bytes; breaks off with the signal, also while the source is silent. */
export function untilAborted(source: Bytes, signal: AbortSignal | undefined): Bytes {
  if (!signal) return source;
  return addAbortSignal(signal, source instanceof Readable ? source : Readable.from(source, { objectMode: false }));
}
