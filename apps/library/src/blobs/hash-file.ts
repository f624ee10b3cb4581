import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

const BUFFER_BYTES = 512 * 1024;

/** The SHA-256 of a file, in hex, and its size. Reuses one buffer: a stream would allocate as many bytes as the file has. */
export async function hashFile(file: string): Promise<{ sha256: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  await using handle = await open(file);
  for (let sizeBytes = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, BUFFER_BYTES);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), sizeBytes };
    hash.update(buffer.subarray(0, bytesRead));
    sizeBytes += bytesRead;
  }
}
