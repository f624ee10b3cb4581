import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, openSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Bytes stored in a file. */
export interface SpooledFile {
  path: string;
  length: number;
  sha256: string;
}

/** Uploaded and pulled media, in files of a temporary directory: videos are never whole in memory. */
export interface Spool {
  write(source: AsyncIterable<Uint8Array>): Promise<SpooledFile>;
  /** Concatenates several files into one and removes them. */
  join(parts: readonly SpooledFile[]): Promise<SpooledFile>;
  discard(file: SpooledFile): void;
  /** Removes the directory; later writes create a new one. */
  clear(): void;
}

/**
 * @param parent where the directory is made
 * @param maxBytes of all files together: the oldest are removed first, because abandoned uploads are not reported
 */
export function createSpool(parent = os.tmpdir(), maxBytes = 4 * 1024 ** 3): Spool {
  let directory: string | null = null;
  let number = 0;
  let total = 0;
  const lengths = new Map<string, number>();

  const remove = (file: string) => {
    total -= lengths.get(file) ?? 0;
    lengths.delete(file);
    rmSync(file, { force: true });
  };
  async function write(source: AsyncIterable<Uint8Array>): Promise<SpooledFile> {
    directory ??= mkdtempSync(path.join(parent, 'fanfare-sandbox-'));
    const file = path.join(directory, String(++number));
    const hash = createHash('sha256');
    let length = 0;
    const measured = async function* () {
      for await (const chunk of source) {
        hash.update(chunk);
        length += chunk.length;
        yield chunk;
      }
    };
    try {
      // Opened at once: a stream would open the file later, when it may have been removed.
      await pipeline(measured, createWriteStream(file, { fd: openSync(file, 'wx') }));
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
    for (const oldest of lengths.keys()) {
      if (total + length <= maxBytes) break;
      remove(oldest);
    }
    lengths.set(file, length);
    total += length;
    return { path: file, length, sha256: hash.digest('hex') };
  }
  async function* endToEnd(parts: readonly SpooledFile[]): AsyncGenerator<Uint8Array> {
    for (const part of parts) {
      yield* createReadStream(part.path) as AsyncIterable<Uint8Array>;
      remove(part.path);
    }
  }

  return {
    write,
    join: async (parts) => (parts.length === 1 && parts[0] ? parts[0] : write(endToEnd(parts))),
    discard: (file) => remove(file.path),
    clear() {
      if (directory !== null) rmSync(directory, { recursive: true, force: true });
      directory = null;
      lengths.clear();
      total = 0;
    },
  };
}
