import type { Bytes } from './blob-store.ts';

/**
 * Cuts a source into pieces of a size, the first one of another size if need be. The last one holds the rest; a source that breaks off gives what
 * had arrived as its last piece and then its error.
 */
export async function* batchesOf(source: Bytes, sizeBytes: number, firstBytes = sizeBytes): AsyncGenerator<Buffer> {
  let wanted = firstBytes;
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  let failure: { readonly error: unknown } | undefined;
  const take = () => {
    const piece = kept.length === 1 && kept[0] ? asBuffer(kept[0]) : Buffer.concat(kept, keptBytes);
    [kept, keptBytes, wanted] = [[], 0, sizeBytes];
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
      while (keptBytes + rest.length >= wanted) {
        const missing = wanted - keptBytes;
        kept.push(rest.subarray(0, missing));
        keptBytes = wanted;
        rest = rest.subarray(missing);
        yield take();
      }
      if (rest.length > 0) kept.push(rest);
      keptBytes += rest.length;
    }
    if (keptBytes > 0) yield take();
  } finally {
    // Whoever wants no more pieces ends the source too.
    await arriving.return?.();
  }
  if (failure) throw failure.error;
}

const asBuffer = (bytes: Uint8Array) => (Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
