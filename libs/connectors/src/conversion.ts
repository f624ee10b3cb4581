import type { CheckedMedia } from './check-content.ts';
import type { Limits } from './limits.ts';

/** What a picture or video has to become before a platform takes it. Members that are absent do not matter. */
export interface Conversion {
  readonly mimeType: 'image/jpeg' | 'image/png' | 'video/mp4';
  readonly maxBytes?: number;
  /** Pixels of either side. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** Bits a second, of a video. */
  readonly maxBitRate?: number;
}

/** Below this a video is not worth looking at, and whoever made it should cut it. */
const MIN_BIT_RATE = 1_000_000;
/** Of a file's bytes, so that its container has room. */
const USED_BY_STREAMS = 0.9;

/**
 * How a media is changed before it is sent, where that can be done without a person's choice: another type, fewer bytes or pixels. A moving GIF stays what
 * it is, and nothing is cut or padded.
 * @returns undefined when nothing has to be changed, or nothing helps
 */
export function conversionFor(limits: Limits, media: CheckedMedia): Conversion | undefined {
  return media.type === 'image' ? imageConversion(limits.images, media) : videoConversion(limits.videos, media);
}

/** The media as it is sent: what a conversion leaves of it. */
export function asConverted(limits: Limits, media: CheckedMedia): CheckedMedia {
  const conversion = conversionFor(limits, media);
  if (!conversion) return media;
  const { mimeType, maxWidth = Infinity, maxHeight = Infinity } = conversion;
  const scale = Math.min(1, maxWidth / media.width, maxHeight / media.height);
  const maxBytes = (media.type === 'image' ? limits.images : limits.videos).maxBytes ?? Infinity;
  return {
    ...media,
    mimeType,
    sizeBytes: Math.min(media.sizeBytes, maxBytes),
    width: Math.floor(media.width * scale),
    height: Math.floor(media.height * scale),
  };
}

function imageConversion(
  { mimeTypes, maxBytes = Infinity, maxPixels = Infinity }: Limits['images'],
  media: CheckedMedia,
): Conversion | undefined {
  if (media.mimeType === 'image/gif') return undefined;
  const isTaken = mimeTypes.includes(media.mimeType);
  const isHeavy = media.sizeBytes > maxBytes;
  const isLarge = media.width * media.height > maxPixels;
  if (isTaken && !isHeavy && !isLarge) return undefined;
  // A photo is not made a PNG, and what is too heavy as a PNG may be light as a JPEG.
  const mimeType = mimeTypes.includes('image/jpeg') ? 'image/jpeg' : 'image/png';
  if (!mimeTypes.includes(mimeType)) return undefined;
  return {
    mimeType,
    ...(maxBytes < Infinity && { maxBytes }),
    ...(isLarge && { maxWidth: Math.floor(Math.sqrt(maxPixels * (media.width / media.height))) }),
  };
}

function videoConversion(
  { mimeTypes, maxBytes = Infinity, maxWidth = Infinity, maxHeight = Infinity }: Limits['videos'],
  media: CheckedMedia,
): Conversion | undefined {
  const isTaken = mimeTypes.includes(media.mimeType);
  const isHeavy = media.sizeBytes > maxBytes;
  const isLarge = media.width > maxWidth || media.height > maxHeight;
  if ((isTaken && !isHeavy && !isLarge) || !mimeTypes.includes('video/mp4')) return undefined;
  const maxBitRate = Math.floor((maxBytes * 8 * USED_BY_STREAMS * 1000) / (media.durationMs ?? Infinity));
  if (isHeavy && maxBitRate < MIN_BIT_RATE) return undefined;
  return {
    mimeType: 'video/mp4',
    ...(isHeavy && { maxBitRate }),
    ...(isLarge && maxWidth < Infinity && { maxWidth }),
    ...(isLarge && maxHeight < Infinity && { maxHeight }),
  };
}
