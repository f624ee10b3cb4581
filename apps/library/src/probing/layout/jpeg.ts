import type { Layout, Part } from './layout.ts';

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const COM = 0xfe;

/** Marker segments (ITU-T T.81, annex B). Their name is the second byte of the marker, such as `e1`. The data of a scan belongs to its `da`. */
export function jpegLayout(bytes: Buffer): Layout | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== SOI) return undefined;
  const parts: Part[] = [{ name: 'd8', start: 0, end: 2, isImageData: true }];
  for (let at = 2; ;) {
    if (bytes[at] !== 0xff) return undefined;
    const start = at;
    while (bytes[at + 1] === 0xff) at++; // Fill bytes.
    const marker = bytes[at + 1];
    if (marker === undefined) return undefined;
    if (marker === EOI) {
      parts.push({ name: 'd9', start, end: at + 2, isImageData: true });
      return parts.some(({ name }) => name === 'da') ? { parts, end: at + 2 } : undefined;
    }
    if (at + 4 > bytes.length) return undefined;
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
    if (marker === SOS) at = afterScan(bytes, at);
    if (at > bytes.length) return undefined;
    parts.push({ name: marker.toString(16), start, end: at, isImageData: isImageData(marker, bytes, start) });
  }
}

/** The next marker, except those within a scan: stuffed zeros and restarts. */
function afterScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length + 1;
}

/** Tables, scans, and the application segments with JFIF, the color profile and Adobe's color transform. */
function isImageData(marker: number, bytes: Buffer, start: number): boolean {
  const text = (length: number) => bytes.toString('latin1', start + 4, start + 4 + length);
  if (marker === 0xe0) return text(4) === 'JFIF';
  if (marker === 0xe2) return text(11) === 'ICC_PROFILE';
  if (marker === 0xee) return text(5) === 'Adobe';
  return marker !== COM && !(marker >= 0xe0 && marker <= 0xef);
}
