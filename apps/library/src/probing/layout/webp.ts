import type { Layout, Part } from './layout.ts';

/** RIFF: size, then chunks (type, size, data), padded to even sizes. https://developers.google.com/speed/webp/docs/riff_container */
export function webpLayout(bytes: Buffer): Layout | undefined {
  if (bytes.length < 20) return undefined;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const parts: Part[] = [{ name: 'RIFF', start: 0, end: 12, isImageData: true }];
  for (let at = 12; at < end;) {
    if (at + 8 > end) return undefined;
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const next = at + 8 + size + (size % 2);
    // Some programs omit the padding of the last chunk.
    if (next > end + 1) return undefined;
    parts.push({ name, start: at, end: Math.min(next, end), isImageData: IMAGE_DATA.has(name) });
    at = next;
  }
  return { parts, end };
}

const IMAGE_DATA = new Set(['VP8 ', 'VP8L', 'VP8X', 'ANIM', 'ANMF', 'ALPH', 'ICCP']);
