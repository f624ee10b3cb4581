import { crc32 } from 'node:zlib';
import type { Layout, Part } from './layout.ts';

/** Signature, then chunks (length, type, data, CRC), the last one of which is IEND (PNG specification, 5). A wrong CRC of a critical chunk means damage. */
export function pngLayout(bytes: Buffer): Layout | undefined {
  const parts: Part[] = [{ name: 'signature', start: 0, end: 8, isImageData: true }];
  for (let at = 8; at + 12 <= bytes.length;) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    if (isCritical(name) && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    parts.push({ name, start: at, end, isImageData: isCritical(name) || SHOWN.has(name) });
    if (name === 'IEND') return { parts, end };
    at = end;
  }
  return undefined;
}

const isCritical = (name: string) => name.charCodeAt(0) < 0x61;
/** Ancillary chunks that change the appearance: transparency, color, density and animation. */
const SHOWN = new Set('tRNS bKGD cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI pHYs hIST acTL fcTL fdAT'.split(' '));
