import type { Bytes } from './blob-store.ts';

/**
 * Splits a source into pieces of `sizeBytes`; the first one may have another size, and the last one is the rest. If the source fails, what had arrived
 * is the last piece, and then its error is thrown.
 */
export async function* batchesOf(source: Bytes, sizeBytes: number, firstBytes = sizeBytes): AsyncGenerator<Buffer> {
  let targetBytes = firstBytes;
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let failure: { readonly error: unknown } | undefined;
  const takePiece = () => {
    const piece = kept.length === 1 && kept[0] ? asBuffer(kept[0]) : Buffer.concat(kept, keptBytes);
    [kept, keptBytes, targetBytes] = [[], 0, sizeBytes];
    return piece;
  };

  const arriving = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await arriving.next().catch((error: unknown) => {
        failure = { error };
      });
      if (!next || next.done === true) break;
      let rest = next.value;
      while (keptBytes + rest.length >= targetBytes) {
        const missing = targetBytes - keptBytes;
        kept.push(rest.subarray(0, missing));
        keptBytes = targetBytes;
        rest = rest.subarray(missing);
        yield takePiece();
      }
      if (rest.length > 0) kept.push(rest);
      keptBytes += rest.length;
    }
    if (keptBytes > 0) yield takePiece();
  } finally {
    // Ends the source if the consumer stops early.
    await arriving.return?.();
  }
  if (failure) throw failure.error;
}

const asBuffer = (bytes: Uint8Array) => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
