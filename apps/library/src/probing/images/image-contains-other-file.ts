import { boxesOf } from '../layout/boxes.ts';
import { layoutOf, type Layout } from '../layout/layout.ts';
import { containsOtherFile } from '../layout/contains-other-file.ts';

/** PDF readers look for the PDF header in this many bytes. */
const HEAD_BYTES = 1024;
/** The size of a ZIP end record with the longest comment. */
const MAX_ZIP_END_BYTES = 22 + 65_535;

/**
 * Whether another program could read an image as a page, a script, a PDF or an archive. Compressed pixels may contain any bytes by chance, so only
 * metadata and the data after the end of the image are checked. After the end, only padding and the data that cameras store there are accepted.
 */
export function imageContainsOtherFile(mimeType: string, bytes: Buffer, layout: Layout): boolean {
  if (containsOtherFile(bytes.subarray(0, HEAD_BYTES)) || endsAsZip(bytes)) return true;
  const rest = bytes.subarray(layout.end);
  if (containsOtherFile(rest) || !isExpectedAfter(mimeType, rest)) return true;
  if (layout.parts.some(({ isImageData, start, end }) => !isImageData && containsOtherFile(bytes.subarray(start, end)))) return true;
  return mimeType === 'image/gif' && isScriptHeader(bytes);
}

/** `GIF89a/*…` and `GIF89a=/*…` are valid scripts: a variable, with the rest in a comment. */
const isScriptHeader = (bytes: Buffer) => /^(\/\*|=[^]{0,3}\/\*)/.test(bytes.toString('latin1', 6, 13));

/** After a JPEG, cameras store more JPEG images, and phones a short video or, with Samsung's marker at the end, their own data. Otherwise only padding is accepted. */
function isExpectedAfter(mimeType: string, rest: Buffer): boolean {
  if (mimeType === 'image/gif') return isPadding(rest);
  const at = rest.findIndex((byte) => byte !== 0);
  if (at === -1) return true;
  if (mimeType !== 'image/jpeg') return false;
  if (rest.toString('latin1', rest.length - 4) === 'SEFT') return true;
  // The size of a video's first box starts with zeros, which were skipped as padding.
  const video = rest.indexOf('ftyp', 0, 'latin1') - 4;
  if (video >= 0 && video <= at) return boxesOf(rest, video).every(({ type }) => /^[a-zA-Z0-9]{4}$/.test(type));
  const next = layoutOf(mimeType, rest.subarray(at));
  return next !== undefined && isExpectedAfter(mimeType, rest.subarray(at + next.end));
}

/** A script could follow the trailer `;`. Only zeros and more trailers, which some programs write, are accepted. */
const isPadding = (bytes: Buffer) => bytes.every((byte) => byte === 0 || byte === 0x3b || byte === 0x0a || byte === 0x0d);

/** An archive is read from its end record, which contains the length of the comment that follows it. */
function endsAsZip(bytes: Buffer): boolean {
  const from = Math.max(0, bytes.length - MAX_ZIP_END_BYTES);
  for (let at = bytes.indexOf('PK\x05\x06', from, 'latin1'); at !== -1; at = bytes.indexOf('PK\x05\x06', at + 1, 'latin1')) {
    if (at + 22 <= bytes.length && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length) return true;
  }
  return false;
}
