import type { Layout } from './layout/layout.ts';

/** Whether an image's metadata says where it was made; in doubt, yes. */
export function saysWhere(bytes: Buffer, layout: Layout, exif: Buffer | undefined): boolean {
  if (exif && hasGps(exif)) return true;
  const others = [...layout.parts.filter(({ isPicture }) => !isPicture), { start: layout.end, end: bytes.length }];
  return (
    others.some(({ start, end }) => MARKS.some((mark) => bytes.subarray(start, end).includes(mark, 0, 'latin1'))) ||
    secondPicture(bytes, layout)
  );
}

/** Of XMP and IPTC, and of the text that ImageMagick keeps EXIF in, which is not read further. */
const MARKS = ['GPSLatitude', 'GPSLongitude', 'photoshop:City', 'Iptc4xmpCore:Location', 'Iptc4xmpExt:Location', 'Raw profile type'];

/** What cameras put after the end has EXIF of its own. */
const secondPicture = (bytes: Buffer, layout: Layout) => bytes.subarray(layout.end).includes('Exif\0\0', 0, 'latin1');

const GPS_IFD_POINTER = 0x8825;
/** Says only which version of the tags follows. */
const GPS_VERSION = 0;

/** Whether EXIF has GPS tags that say something (TIFF 6.0, 2; EXIF 2.32, 4.6.6). What cannot be read counts. */
function hasGps(exif: Buffer): boolean {
  const tiff = exif.toString('latin1', 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif;
  try {
    const little = tiff.toString('latin1', 0, 2) === 'II';
    const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
    const u32 = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
    const entries = (ifd: number) => Array.from({ length: u16(ifd) }, (_, index) => ifd + 2 + 12 * index);
    const pointer = entries(u32(4)).find((entry) => u16(entry) === GPS_IFD_POINTER);
    return pointer !== undefined && entries(u32(pointer + 8)).some((entry) => u16(entry) !== GPS_VERSION);
  } catch {
    return true;
  }
}
