import { open, type FileHandle } from 'node:fs/promises';

/** Real files have a dozen. */
const MAX_CHUNKS = 1000;

/**
 * Whether a WAV holds all the sound that the header of its `data` chunk says; players would go on in silence to the length that is said. A program
 * that writes to a pipe cannot come back to fill that in: then the sound goes to the end of the file, and nothing tells that some is missing.
 */
export async function isWavWhole(path: string): Promise<boolean> {
  await using file = await open(path);
  const { size } = await file.stat();
  // RIFF, its length and WAVE come first.
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

/** What is written for a length that is not known: 0 by GStreamer, 2³²−1 by ffmpeg, 2³¹ by arecord, and 2³¹−4096 less a part of a sample by SoX. */
const isUnknown = (bytes: number) => bytes === 0 || bytes === 0xffff_ffff || (bytes >= 0x7fff_0000 && bytes <= 0x8000_0000);
