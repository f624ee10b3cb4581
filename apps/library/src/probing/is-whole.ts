import { readFile } from 'node:fs/promises';

/**
 * Whether a PNG or GIF goes on to its own end mark. The decoder does not tell: libvips fills up an interlaced PNG that is cut short and leaves
 * out the last frames of a GIF. Of other formats it does tell, so they pass.
 */
export async function isWhole(mimeType: string, file: string): Promise<boolean> {
  if (mimeType === 'image/png') return pngEnds(await readFile(file));
  if (mimeType === 'image/gif') return gifEnds(await readFile(file));
  return true;
}

/** Signature, then chunks of (length, type, data, CRC); the last one is IEND. PNG specification, 5. */
function pngEnds(bytes: Buffer): boolean {
  for (let at = 8; at + 12 <= bytes.length;) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IEND') return true;
    at += 12 + bytes.readUInt32BE(at);
  }
  return false;
}

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;

/** Header, screen descriptor and colour table, then blocks until the trailer. GIF89a specification, 17 to 27. */
function gifEnds(bytes: Buffer): boolean {
  let at = 13 + colourTableBytes(bytes[10]);
  for (;;) {
    switch (bytes[at]) {
      case TRAILER:
        return true;
      case EXTENSION:
        at = afterSubBlocks(bytes, at + 2);
        break;
      case IMAGE:
        at = afterSubBlocks(bytes, at + 10 + colourTableBytes(bytes[at + 9]) + 1);
        break;
      default:
        return false;
    }
  }
}

const colourTableBytes = (flags = 0) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Sub-blocks begin with their length; one of length 0 ends them. Past the end of the file, answers with where it ran over. */
function afterSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes[at]; length !== undefined && length > 0; length = bytes[at]) at += 1 + length;
  return at + 1;
}
