import type { FileHandle } from 'node:fs/promises';

/** A box of an MP4 or MOV (ISO/IEC 14496-12, 4.2). An empty type means trailing bytes that are not a box. */
export interface Box {
  readonly type: string;
  readonly start: number;
  /** The position after the last byte. */
  readonly end: number;
  /** The size of the header. */
  readonly header: number;
}

const MAX_BOXES = 100_000;

/** The top-level boxes of a file; undefined if there are unreasonably many. Reads only their headers. */
export async function topBoxes(handle: FileHandle): Promise<Box[] | undefined> {
  const { size } = await handle.stat();
  const boxes: Box[] = [];
  const head = Buffer.alloc(16);
  for (let at = 0; at < size; at = boxes.at(-1)?.end ?? size) {
    if (boxes.length >= MAX_BOXES) return undefined;
    const { bytesRead } = await handle.read(head, 0, 16, at);
    boxes.push(boxAt(head.subarray(0, bytesRead), at, size));
  }
  return boxes;
}

/** The boxes between two positions. In QuickTime, four zeros may end a list of boxes. */
export function boxesOf(bytes: Buffer, start = 0, end = bytes.length): Box[] {
  const boxes: Box[] = [];
  for (let at = start; at < end; at = boxes.at(-1)?.end ?? end) {
    if (bytes.subarray(at, end).length === 4 && bytes.readUInt32BE(at) === 0) break;
    boxes.push(boxAt(bytes.subarray(at, Math.min(end, at + 16)), at, end));
  }
  return boxes;
}

function boxAt(head: Buffer, start: number, limit: number): Box {
  const none = { type: '', start, end: limit, header: 0 };
  if (head.length < 8) return none;
  const type = head.toString('latin1', 4, 8);
  const short = head.readUInt32BE(0);
  if (short === 0) return { type, start, end: limit, header: 8 };
  if (short === 1 && head.length < 16) return none;
  const [size, header] = short === 1 ? [Number(head.readBigUInt64BE(8)), 16] : [short, 8];
  return size < header || start + size > limit ? none : { type, start, end: start + size, header };
}
