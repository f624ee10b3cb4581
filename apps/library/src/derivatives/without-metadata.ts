import { crc32 } from 'node:zlib';
import { MediaRejected } from '@fanfare/media-tools';
import { layoutOf, type Layout } from '../probing/layout/layout.ts';

/**
 * Removes EXIF, XMP, IPTC, comments and data after the end of an image. An orientation other than upright is kept, as the only EXIF tag. Pixels and
 * color profile stay the same, bit for bit.
 */
export function withoutMetadata(mimeType: string, bytes: Buffer, orientation = 1): Buffer {
  const layout = layoutOf(mimeType, bytes);
  if (!layout) throw new MediaRejected('The image is damaged or truncated.');
  const kept = keptParts(bytes, layout);
  const exif = orientation === 1 ? undefined : exifOrientation(orientation);
  switch (mimeType) {
    case 'image/jpeg':
      return Buffer.concat(exif ? [...kept.slice(0, 1), jpegSegment(exif), ...kept.slice(1)] : kept);
    case 'image/png':
      // The signature and IHDR must come first.
      return Buffer.concat(exif ? [...kept.slice(0, 2), pngChunk('eXIf', exif), ...kept.slice(2)] : kept);
    case 'image/webp':
      return webp(kept, exif);
    default:
      return Buffer.concat(kept);
  }
}

const keptParts = (bytes: Buffer, { parts }: Layout) =>
  parts.filter(({ isImageData }) => isImageData).map(({ start, end }) => bytes.subarray(start, end));

/** A TIFF header, and a directory with one entry: orientation (0x0112), of type short. */
function exifOrientation(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 0, 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

function jpegSegment(exif: Buffer): Buffer {
  const head = Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1');
  head.writeUInt16BE(2 + 6 + exif.length, 2);
  return Buffer.concat([head, exif]);
}

function pngChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(name, 'latin1'), data, Buffer.alloc(4)]);
  chunk.writeUInt32BE(data.length, 0);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4);
  return chunk;
}

const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;

/** Updates the file size in the header, and the metadata flags in VP8X. Only files with VP8X can have an orientation. */
function webp([riff = Buffer.alloc(0), ...chunks]: Buffer[], exif: Buffer | undefined): Buffer {
  const extended = chunks[0]?.toString('latin1', 0, 4) === 'VP8X' ? Buffer.from(chunks[0]) : undefined;
  if (extended) extended[8] = ((extended[8] ?? 0) & ~(HAS_EXIF | HAS_XMP)) | (exif ? HAS_EXIF : 0);
  const size = Buffer.alloc(4);
  if (exif) size.writeUInt32LE(exif.length);
  const padded = [...(extended ? [extended, ...chunks.slice(1)] : chunks), ...(exif && extended ? [Buffer.from('EXIF'), size, exif] : [])];
  const body = Buffer.concat([
    riff.subarray(8, 12),
    ...padded.map((chunk) => (chunk.length % 2 ? Buffer.concat([chunk, Buffer.alloc(1)]) : chunk)),
  ]);
  const head = Buffer.from(riff.subarray(0, 8));
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}
