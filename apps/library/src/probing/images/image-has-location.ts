import type { Layout, Part } from '../layout/layout.ts';
import { isHarmlessExif } from '../layout/exif.ts';

/**
 * Whether an image may contain location data. There are too many formats to search (XMP, IPTC, text, compressed text, in any encoding, in other images
 * after the end), so the result is true for all metadata except one block of EXIF with harmless tags.
 */
export function imageHasLocation(bytes: Buffer, { parts, end }: Layout): boolean {
  if (bytes.subarray(end).some((byte) => byte !== 0)) return true;
  const metadata = parts.filter(({ isImageData, name }) => !isImageData && name !== 'tIME');
  const exif = metadata.map((part) => exifOf(bytes, part));
  return metadata.length > 1 || exif.some((block) => !block || !isHarmlessExif(block));
}

/** The TIFF data of a part that contains EXIF. */
function exifOf(bytes: Buffer, { name, start, end }: Part): Buffer | undefined {
  if (name === 'eXIf') return bytes.subarray(start + 8, end - 4);
  const block = name === 'EXIF' ? bytes.subarray(start + 8, end) : name === 'e1' ? bytes.subarray(start + 4, end) : undefined;
  if (block?.toString('latin1', 0, 6) === 'Exif\0\0') return block.subarray(6);
  return name === 'EXIF' ? block : undefined;
}
