import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

const READ_BYTES = 512 * 1024;

/** SHA-256 in hex, and how many bytes it was made of. */
export async function hashFile(file: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  const reading = createReadStream(file, { highWaterMark: READ_BYTES });
  await pipeline(reading, hash);
  return { sha256: hash.digest('hex'), sizeBytes: reading.bytesRead };
}
