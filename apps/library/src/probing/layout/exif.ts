/**
 * Whether a block of EXIF certainly contains no location data: it is fully readable, and all of its tags are known to be harmless. Not harmless are
 * GPS tags, maker notes, comments, thumbnails, which may have EXIF of their own, and the tags for XMP and IPTC (TIFF 6.0, 2; EXIF 2.32, 4.6).
 */
export function isHarmlessExif(tiff: Buffer): boolean {
  try {
    const little = tiff.toString('latin1', 0, 2) === 'II';
    const u16 = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
    const u32 = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
    const entries = (ifd: number) => Array.from({ length: u16(ifd) }, (_, index) => ifd + 2 + 12 * index);
    const first = u32(4);
    const tags = entries(first);
    if (u32(first + 2 + 12 * tags.length) !== 0) return false;
    return tags.every((entry) => {
      if (u16(entry) !== EXIF_IFD_POINTER) return HARMLESS.has(u16(entry));
      return entries(u32(entry + 8)).every((inner) => HARMLESS.has(u16(inner)) || HARMLESS_IN_EXIF.has(u16(inner)));
    });
  } catch {
    return false;
  }
}

const EXIF_IFD_POINTER = 0x8769;

/** Size, samples, orientation, resolution, color, author, device, software and time. */
const HARMLESS = new Set([
  0x0100, 0x0101, 0x0102, 0x0103, 0x0106, 0x010f, 0x0110, 0x0112, 0x0115, 0x011a, 0x011b, 0x011c, 0x0128, 0x0131, 0x0132, 0x013b, 0x013e,
  0x013f, 0x0211, 0x0212, 0x0213, 0x0214, 0x8298,
]);

/** Exposure, versions, color space, size, times, lens. */
const HARMLESS_IN_EXIF = new Set([
  0x829a, 0x829d, 0x8822, 0x8827, 0x8830, 0x8831, 0x8832, 0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9101, 0x9102, 0x9201, 0x9202,
  0x9203, 0x9204, 0x9205, 0x9206, 0x9207, 0x9208, 0x9209, 0x920a, 0x9290, 0x9291, 0x9292, 0xa000, 0xa001, 0xa002, 0xa003, 0xa20e, 0xa20f,
  0xa210, 0xa217, 0xa300, 0xa301, 0xa401, 0xa402, 0xa403, 0xa404, 0xa405, 0xa406, 0xa407, 0xa408, 0xa409, 0xa40a, 0xa40c, 0xa432, 0xa433,
  0xa434,
]);
