import { pipeline, type Duplex, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchError } from './fetch-error.ts';

/** The ratio applies only above this size: a small page of zeros compresses by a factor of 1,000. */
const FREE_BYTES = 1024 * 1024;
/** Text compresses by a factor of about 10; a factor of 100 is a decompression bomb. */
const MAX_RATIO = 100;

/** Passes bytes on. Throws `too_large` as soon as there are more than `maxBytes`. */
export async function* atMost(source: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of source) {
    seen += chunk.length;
    if (seen > maxBytes) throw new FetchError('too_large');
    yield chunk;
  }
}

/**
 * Passes bytes on. Throws `too_slow` if fewer bytes than `bytesPerSecond` arrived in `windowMs` of waiting. Only the time spent waiting for the
 * source counts, not the time that the reader takes.
 */
export async function* atLeast(source: AsyncIterable<Buffer>, bytesPerSecond: number, windowMs: number): AsyncGenerator<Buffer> {
  const neededBytes = (bytesPerSecond * windowMs) / 1000;
  const arriving = source[Symbol.asyncIterator]();
  let [seen, waitedMs] = [0, 0];
  try {
    for (;;) {
      const next = arriving.next();
      next.catch(() => undefined); // After a timeout nothing awaits this promise: its rejection must not be unhandled.
      let arrived: IteratorResult<Buffer, unknown> | undefined;
      while (!arrived) {
        const begun = performance.now();
        arrived = await within(windowMs - waitedMs, next);
        waitedMs = arrived ? waitedMs + performance.now() - begun : windowMs;
        if (waitedMs < windowMs) continue;
        if (arrived?.done !== true && seen + (arrived?.value.length ?? 0) < neededBytes) throw new FetchError('too_slow');
        [seen, waitedMs] = [0, 0];
      }
      if (arrived.done) return;
      seen += arrived.value.length;
      yield arrived.value;
    }
  } finally {
    // Not awaited: a source that has stalled does not return until it is destroyed.
    void arriving.return?.().catch(() => undefined);
  }
}

/**
 * Decodes a Content-Encoding, with limits on the decoded size to stop decompression bombs.
 * @throws FetchError bad_encoding if the encoding is unknown or there are several; while reading: bad_encoding, too_large
 */
export function decoded(source: AsyncIterable<Buffer>, contentEncoding: string | undefined, maxBytes: number): AsyncIterable<Buffer> {
  const encoding = contentEncoding?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return source;
  const decoder = DECODERS.get(encoding);
  if (!decoder) throw new FetchError('bad_encoding');
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
    if (plain > FREE_BYTES && plain > compressed * MAX_RATIO) throw new FetchError('too_large');
    yield chunk;
  }
}

/** The beginning of a body, as it was sent. */
export interface Beginning {
  readonly body: Buffer;
  /** The body was longer, took longer, or did not arrive as a whole. */
  readonly isCut: boolean;
}

/** Reads at most `maxBytes` of a body, for at most `ms`, and closes the connection. Never throws. */
export async function beginningOf(body: Readable, maxBytes: number, ms: number): Promise<Beginning> {
  const chunks: Buffer[] = [];
  let seen = 0;
  const timer = setTimeout(() => body.destroy(), ms);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk.subarray(0, maxBytes - seen));
      seen += chunk.length;
      if (seen > maxBytes) return { body: Buffer.concat(chunks), isCut: true };
    }
    return { body: Buffer.concat(chunks), isCut: body.errored !== null };
  } catch {
    return { body: Buffer.concat(chunks), isCut: true };
  } finally {
    clearTimeout(timer);
  }
}

/** The result of a promise, or undefined if it takes longer than `ms`. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), Math.max(0, ms))));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
