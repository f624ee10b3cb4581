import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { boxesOf, topBoxes, type Box } from '../layout/boxes.ts';
import type { Streams } from './read-streams.ts';

/** Whether a video or audio file may contain location data: in tags, tracks, or boxes that ffprobe does not report. */
export async function recordingHasLocation(file: string, mimeType: string, streams: Streams): Promise<boolean> {
  if (streamsHaveLocation(streams)) return true;
  const handle = await open(file);
  try {
    const ends = await readEnds(handle);
    if (ends.some((part) => MARKS.some((mark) => part.includes(mark, 0, 'latin1') || part.includes(mark, 0, 'utf16le')))) return true;
    return /mp4|quicktime/.test(mimeType) && (await boxesHaveLocation(handle));
  } finally {
    await handle.close();
  }
}

/**
 * Tags of phones, and tracks in which cameras log their location (GoPro, Google, Sony); drones use subtitles. Cover images may have metadata of their
 * own.
 */
function streamsHaveLocation({ format, streams }: Streams): boolean {
  const tags = [format.tags, ...streams.map((stream) => stream.tags)].flatMap((some) => Object.keys(some ?? {}));
  if (tags.some((tag) => /location|gps|geo|xmp|priv\.|\bxyz\b/i.test(tag))) return true;
  return streams.some(
    ({ codec_type, codec_tag_string, disposition }) =>
      disposition?.attached_pic === 1 || !(/^(video|audio)$/.test(codec_type ?? '') || codec_tag_string === 'tmcd'),
  );
}

const MARKS = ['GPSLatitude', 'GPSLongitude', 'ns.adobe.com/xap', 'photoshop:', 'Iptc4xmp'];
const END_BYTES = 64 * 1024;

async function readEnds(handle: FileHandle): Promise<Buffer[]> {
  const { size } = await handle.stat();
  const read = async (position: number) => {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(Math.min(size, END_BYTES)), 0, Math.min(size, END_BYTES), position);
    return buffer.subarray(0, bytesRead);
  };
  return [await read(0), await read(Math.max(0, size - END_BYTES))];
}

/** Tags and boxes that are not known to be harmless may contain location data. */
async function boxesHaveLocation(handle: FileHandle): Promise<boolean> {
  const boxes = await topBoxes(handle);
  if (!boxes || boxes.some(({ type }) => type !== 'moov' && !PLAIN.has(type))) return true;
  for (const { start, end } of boxes.filter(({ type }) => type === 'moov')) {
    if (end - start > MAX_MOOV_BYTES) return true;
    const { buffer } = await handle.read(Buffer.alloc(end - start), 0, end - start, start);
    if (boxesOf(buffer).some((box) => imageHasLocation(buffer, box))) return true;
  }
  return false;
}

const MAX_MOOV_BYTES = 64 * 1024 * 1024;
const PLAIN = new Set('ftyp styp mdat free skip wide sidx ssix moof mfra pdin prft'.split(' '));
const FOLDERS = new Set('moov trak mdia minf udta ilst'.split(' '));
/** Harmless boxes in user data and tag lists: the encoder and the name. */
const TAGS = new Set('meta free hdlr name \xa9too \xa9swr \xa9enc \xa9nam'.split(' '));

function imageHasLocation(bytes: Buffer, { type, start, end, header }: Box, inTags = false): boolean {
  if (type === 'uuid' || type === 'XMP_' || (inTags && type !== 'ilst' && !TAGS.has(type))) return true;
  if (type === 'meta') {
    // The boxes follow a version field, except in QuickTime.
    const from = start + header + (bytes.toString('latin1', start + header + 4, start + header + 8) === 'hdlr' ? 0 : 4);
    return boxesOf(bytes, from, end).some((box) => imageHasLocation(bytes, box, true));
  }
  if (!FOLDERS.has(type)) return false;
  return boxesOf(bytes, start + header, end).some((box) => imageHasLocation(bytes, box, type === 'udta' || type === 'ilst'));
}
