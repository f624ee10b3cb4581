import type { Layout, Part } from './layout.ts';

const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const APPLICATION = 0xff;
const COMMENT = 0xfe;

/** Header, screen descriptor and color table, then blocks until the trailer. GIF89a specification, 17 to 27. */
export function gifLayout(bytes: Buffer): Layout | undefined {
  let at = 13 + colourTableBytes(bytes[10]);
  const parts: Part[] = [{ name: 'header', start: 0, end: at, isImageData: true }];
  for (;;) {
    const start = at;
    switch (bytes[at]) {
      case TRAILER:
        parts.push({ name: 'trailer', start, end: at + 1, isImageData: true });
        return { parts, end: at + 1 };
      case EXTENSION:
        at = afterSubBlocks(bytes, at + 2);
        parts.push({ name: 'extension', start, end: at, isImageData: isNeeded(bytes, start) });
        break;
      case IMAGE:
        at = afterSubBlocks(bytes, at + 10 + colourTableBytes(bytes[at + 9]) + 1);
        parts.push({ name: 'image', start, end: at, isImageData: true });
        break;
      default:
        return undefined;
    }
  }
}

/** Only the extensions for timing and repetition are needed to show the image. */
function isNeeded(bytes: Buffer, start: number): boolean {
  if (bytes[start + 1] === APPLICATION)
    return /^(NETSCAPE2\.0|ANIMEXTS1\.0|ICCRGBG1012)$/.test(bytes.toString('latin1', start + 3, start + 14));
  return bytes[start + 1] !== COMMENT;
}

const colourTableBytes = (flags = 0) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** The position after a sequence of sub-blocks. Each starts with its length; length 0 ends the sequence. May be past the end of the file. */
function afterSubBlocks(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes[at]; length !== undefined && length > 0; length = bytes[at]) at += 1 + length;
  return at + 1;
}
