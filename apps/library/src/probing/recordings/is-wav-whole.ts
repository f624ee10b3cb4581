import { open, type FileHandle } from 'node:fs/promises';

/** Real files have about a dozen. */
const MAX_CHUNKS = 1000;

/**
 * Whether a WAV contains all the audio that the header of its `data` chunk declares; players would play silence for the rest. A program that writes to a
 * pipe cannot fill in the size. Then the audio ends with the file, and missing audio cannot be detected.
 */
export async function isWavWhole(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  // Skips RIFF, its size and WAVE.
  for (let at = 12, chunks = 0; chunks < MAX_CHUNKS; chunks++) {
    const head = await chunkAt(file, at);
    if (!head) return false;
    at += 8;
    if (head.name === 'data') return size > at && (isUnknown(head.bytes) || at + head.bytes <= size);
    at += head.bytes + (head.bytes % 2);
  }
  return false;
}

async function chunkAt(file: FileHandle, at: number): Promise<{ name: string; bytes: number } | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(8), 0, 8, at);
  return bytesRead < 8 ? undefined : { name: buffer.toString('latin1', 0, 4), bytes: buffer.readUInt32LE(4) };
}

/** The values for an unknown size: 0 by GStreamer, 2³²−1 by ffmpeg, 2³¹ by arecord, and 2³¹−4096, rounded down to whole samples, by SoX. */
const isUnknown = (bytes: number) => bytes === 0 || bytes === 0xffff_ffff || (bytes >= 0x7fff_0000 && bytes <= 0x8000_0000);
