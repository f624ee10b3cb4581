import { open, type FileHandle } from 'node:fs/promises';
import { topBoxes } from '../layout/boxes.ts';
import { containsOtherFile } from '../layout/contains-other-file.ts';

/** Archive readers search from the end. This is the size of a ZIP end record with the longest comment. */
const END_BYTES = 22 + 65_535;
const HEAD_BYTES = 4096;
const MAX_LOOKED_AT = 100;

/** Whether another program could read a video or audio file as a page, a script or an archive: at its end, or in a box that players skip. */
export async function recordingContainsOtherFile(file: string, mimeType: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (containsOtherFile(await read(handle, Math.max(0, size - END_BYTES), END_BYTES))) return true;
    if (!/mp4|quicktime/.test(mimeType)) return false;
    const passedOver = ((await topBoxes(handle)) ?? []).filter(({ type }) => type !== 'mdat' && type !== 'moof');
    for (const { start, end } of passedOver.slice(0, MAX_LOOKED_AT)) {
      if (containsOtherFile(await read(handle, start, Math.min(end - start, HEAD_BYTES)))) return true;
    }
    return false;
  } finally {
    await handle.close();
  }
}

async function read(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
