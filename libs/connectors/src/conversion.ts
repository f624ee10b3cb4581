import type { CheckedMedia } from './check-content.ts';
import type { Options } from './connector.ts';
import { limitsFor, type Limits } from './limits.ts';
import { padColorOf } from './media-fit.ts';

/** What a picture or video has to become before a platform takes it. Members that are absent do not matter. */
export interface Conversion {
  readonly mimeType: 'image/jpeg' | 'image/png' | 'video/mp4';
  readonly maxBytes?: number;
  /** Pixels of either side. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** Bits a second, of a video. */
  readonly maxBitRate?: number;
  /** Pictures a second, of a video. */
  readonly maxFrameRate?: number;
  /** Width to height; what is outside is padded to it, with the background's colour. */
  readonly minRatio?: number;
  readonly maxRatio?: number;
  readonly background?: string;
}

/** Below this a video is not worth looking at, and whoever made it should cut it. */
const MIN_BIT_RATE = 1_000_000;
/** Of a file's bytes, so that its container has room. */
const USED_BY_STREAMS = 0.9;

/**
 * How a media is changed before it is sent: another type, fewer bytes or pixels, and, where the options choose it, padding to a ratio that is taken. A
 * moving GIF stays what it is, and nothing is cut.
 * @returns undefined when nothing has to be changed, or nothing helps
 */
export function conversionFor(all: Limits, media: CheckedMedia, options: Options = {}): Conversion | undefined {
  const limits = limitsFor(all, options);
  if (media.type === 'image' && media.mimeType === 'image/gif') return undefined;
  const padding = paddingFor(limits, media, options);
  return media.type === 'image' ? imageConversion(limits.images, media, padding) : videoConversion(limits.videos, media, padding);
}

/** Whether `media_fit: pad` would make the platform take a ratio that it does not take as it is. */
export function paddingHelps(all: Limits, media: CheckedMedia, options: Options = {}): boolean {
  return conversionFor(all, media, { ...options, media_fit: 'pad' })?.background !== undefined;
}

/** The media as it is sent: what a conversion leaves of it. */
export function asConverted(all: Limits, media: CheckedMedia, options: Options = {}): CheckedMedia {
  const conversion = conversionFor(all, media, options);
  if (!conversion) return media;
  const limits = limitsFor(all, options);
  const { mimeType, maxWidth = Infinity, maxHeight = Infinity, maxFrameRate = Infinity, ...ratios } = conversion;
  const canvas = padded(media, ratios);
  const scale = Math.min(1, maxWidth / canvas.width, maxHeight / canvas.height);
  const maxBytes = (media.type === 'image' ? limits.images : limits.videos).maxBytes ?? Infinity;
  return {
    ...media,
    mimeType,
    sizeBytes: Math.min(media.sizeBytes, maxBytes),
    ...(media.frames !== undefined && { frames: 1 }),
    ...(media.frameRate !== undefined && { frameRate: Math.min(media.frameRate, maxFrameRate) }),
    ...padded({ width: Math.floor(media.width * scale), height: Math.floor(media.height * scale) }, ratios),
  };
}

/** Rounded up, so that the ratio is kept. */
function padded({ width, height }: Pick<CheckedMedia, 'width' | 'height'>, { minRatio = 0, maxRatio = Infinity }: Padding) {
  return { width: Math.max(width, Math.ceil(height * minRatio)), height: Math.max(height, Math.ceil(width / maxRatio)) };
}

type Padding = Pick<Conversion, 'minRatio' | 'maxRatio' | 'background'>;

/** Undefined unless it is chosen, and the platform limits the ratio. */
function paddingFor(limits: Limits, { type }: CheckedMedia, options: Options): Padding | undefined {
  const background = padColorOf(options);
  const { minRatio, maxRatio } = type === 'image' ? limits.images : limits.videos;
  if (background === undefined || (minRatio === undefined && maxRatio === undefined)) return undefined;
  return { ...(minRatio !== undefined && { minRatio }), ...(maxRatio !== undefined && { maxRatio }), background };
}

function isOutside({ width, height }: CheckedMedia, { minRatio = 0, maxRatio = Infinity }: Padding = {}): boolean {
  return width / height < minRatio || width / height > maxRatio;
}

function imageConversion(
  { mimeTypes, maxBytes = Infinity, maxPixels = Infinity, maxSide = Infinity }: Limits['images'],
  media: CheckedMedia,
  padding: Padding | undefined,
): Conversion | undefined {
  const isTaken = mimeTypes.includes(media.mimeType);
  const isHeavy = media.sizeBytes > maxBytes;
  const isLarge = media.width * media.height > maxPixels;
  const isLong = Math.max(media.width, media.height) > maxSide;
  if (isTaken && !isHeavy && !isLarge && !isLong && !isOutside(media, padding)) return undefined;
  // A photo is not made a PNG, and what is too heavy as a PNG may be light as a JPEG.
  const mimeType = mimeTypes.includes('image/jpeg') ? 'image/jpeg' : 'image/png';
  if (!mimeTypes.includes(mimeType)) return undefined;
  return {
    mimeType,
    ...(maxBytes < Infinity && { maxBytes }),
    ...(isLong && { maxWidth: maxSide, maxHeight: maxSide }),
    ...(isLarge && { maxWidth: Math.min(maxSide, Math.floor(Math.sqrt(maxPixels * (media.width / media.height)))) }),
    ...padding,
  };
}

function videoConversion(limits: Limits['videos'], media: CheckedMedia, padding: Padding | undefined): Conversion | undefined {
  const { mimeTypes, maxBytes = Infinity, maxFrameRate = Infinity } = limits;
  const { maxWidth, maxHeight } = boundsOf(limits, padded(media, padding ?? {}));
  const isTaken = mimeTypes.includes(media.mimeType);
  const isHeavy = media.sizeBytes > maxBytes;
  const isLarge = media.width > maxWidth || media.height > maxHeight;
  const isFast = (media.frameRate ?? 0) > maxFrameRate;
  if ((isTaken && !isHeavy && !isLarge && !isFast && !isOutside(media, padding)) || !mimeTypes.includes('video/mp4')) return undefined;
  const maxBitRate = Math.floor((maxBytes * 8 * USED_BY_STREAMS * 1000) / (media.durationMs ?? Infinity));
  if (isHeavy && maxBitRate < MIN_BIT_RATE) return undefined;
  // Padding makes it larger, so that the bounds matter then as well.
  const isBound = isLarge || isOutside(media, padding);
  return {
    mimeType: 'video/mp4',
    ...(isHeavy && { maxBitRate }),
    ...(isFast && { maxFrameRate }),
    ...(isBound && maxWidth < Infinity && { maxWidth }),
    ...(isBound && maxHeight < Infinity && { maxHeight }),
    ...padding,
  };
}

/** Where the longer and the shorter side are limited, an upright video may have what a wide one may have. */
function boundsOf(
  { maxWidth = Infinity, maxHeight = Infinity, maxLongerSide = Infinity, maxShorterSide = Infinity }: Limits['videos'],
  { width, height }: Pick<CheckedMedia, 'width' | 'height'>,
) {
  const isUpright = height > width;
  return {
    maxWidth: Math.min(maxWidth, isUpright ? maxShorterSide : maxLongerSide),
    maxHeight: Math.min(maxHeight, isUpright ? maxLongerSide : maxShorterSide),
  };
}
