import { pipeline, type Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchRefused } from './fetch-refused.ts';

/** What is small is let grow by more: a page of zeros compresses a thousandfold. */
const FREE_BYTES = 1024 * 1024;
/** Text compresses tenfold, and nothing honest a hundredfold. */
const MAX_RATIO = 100;

/** Passes bytes on and breaks with `too_large` at the first one over `maxBytes`. */
export async function* atMost(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.length;
    if (seen > maxBytes) throw new FetchRefused('too_large');
    yield chunk;
  }
}

/**
 * Breaks with `too_slow` when over `windowMs` of waiting fewer bytes came than `bytesPerSecond` asks for. Only the time that the source takes
 * counts, not that of whoever reads.
 */
export async function* atLeast(source: AsyncIterable<Buffer>, bytesPerSecond: number, windowMs: number): AsyncGenerator<Buffer> {
  const neededBytes = (bytesPerSecond * windowMs) / 1000;
  const arriving = source[Symbol.asyncIterator]();
  let [seen, waitedMs] = [0, 0];
  try {
    for (;;) {
      const next = arriving.next();
      next.catch(() => undefined); // When it is late, nobody waits for how it ends.
      let arrived: IteratorResult<Buffer, unknown> | undefined;
      while (!arrived) {
        const begun = performance.now();
        arrived = await within(windowMs - waitedMs, next);
        waitedMs = arrived ? waitedMs + performance.now() - begun : windowMs;
        if (waitedMs < windowMs) continue;
        if (arrived?.done !== true && seen + (arrived?.value.length ?? 0) < neededBytes) throw new FetchRefused('too_slow');
        [seen, waitedMs] = [0, 0];
      }
      if (arrived.done) return;
      seen += arrived.value.length;
      yield arrived.value;
    }
  } finally {
    // Not awaited: a source that gives nothing does not end either until it is destroyed.
    void arriving.return?.().catch(() => undefined);
  }
}

/**
 * Undoes a Content-Encoding, with limits on what comes out: a compressed bomb ends there.
 * @throws FetchRefused bad_encoding when the encoding is unknown or stacked; while reading, bad_encoding and too_large
 */
export function decoded(source: AsyncIterable<Buffer>, contentEncoding: string | undefined, maxBytes: number): AsyncIterable<Buffer> {
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return source;
  const decoder = DECODERS.get(encoding);
  if (!decoder) throw new FetchRefused('bad_encoding');
  return inflate(source, decoder(), maxBytes);
}

const DECODERS: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

async function* inflate(source: AsyncIterable<Buffer>, decoder: Duplex, maxBytes: number): AsyncGenerator<Buffer> {
  let [compressed, plain] = [0, 0];
  const counted = async function* () {
    for await (const chunk of source) {
      compressed += chunk.length;
      yield chunk;
    }
  };
  const out = pipeline(Readable.from(counted()), decoder, () => undefined);
  for await (const chunk of atMost(out as AsyncIterable<Buffer>, maxBytes)) {
    plain += chunk.length;
    if (plain > FREE_BYTES && plain > compressed * MAX_RATIO) throw new FetchRefused('too_large');
    yield chunk;
  }
}

/** What came of a promise in time; undefined when it is not. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), Math.max(0, ms))));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
