import type { CheckedMedia } from './check-content.ts';
import type { Options } from '../connector.ts';
import { limitsFor, type Limits } from '../limits.ts';
import { padColorOf } from './media-fit.ts';

/** What an image or video must be converted to before a platform accepts it. Absent members do not matter. */
export interface Conversion {
  readonly mimeType: 'image/jpeg' | 'image/png' | 'video/mp4';
  readonly maxBytes?: number;
  /** Maximum pixels of either side. */
  readonly maxWidth?: number;
  readonly maxHeight?: number;
  /** Bits per second of a video. */
  readonly maxBitRate?: number;
  /** Frames per second of a video. */
  readonly maxFrameRate?: number;
  /** Width to height; media outside this range are padded with the background color. */
  readonly minRatio?: number;
  readonly maxRatio?: number;
  readonly background?: string;
}

/** Below this the quality is too low: the author should shorten the video instead. */
const MIN_BIT_RATE = 1_000_000;
/** Share of a file's bytes, which leaves room for the container format. */
const USED_BY_STREAMS = 0.9;

/**
 * How a media is converted before it is sent: another type, fewer bytes or pixels and, if the options choose it, padding to an accepted aspect ratio. An
 * animated GIF is not converted, and nothing is cropped.
 * @returns undefined when no conversion is necessary or possible
 */
export function conversionFor(all: Limits, media: CheckedMedia, options: Options = {}): Conversion | undefined {
  const limits = limitsFor(all, options);
  if (media.type === 'image' && media.mimeType === 'image/gif') return undefined;
  const padding = paddingFor(limits, media, options);
  return media.type === 'image' ? imageConversion(limits.images, media, padding) : videoConversion(limits.videos, media, padding);
}

/** Whether `media_fit: pad` would make the platform accept the aspect ratio. */
export function paddingHelps(all: Limits, media: CheckedMedia, options: Options = {}): boolean {
  return conversionFor(all, media, { ...options, media_fit: 'pad' })?.background !== undefined;
}

/** The media as it is sent, after the conversion. */
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

/** Rounded up to keep the ratio. */
function padded({ width, height }: Pick<CheckedMedia, 'width' | 'height'>, { minRatio = 0, maxRatio = Infinity }: Padding) {
  return { width: Math.max(width, Math.ceil(height * minRatio)), height: Math.max(height, Math.ceil(width / maxRatio)) };
}

type Padding = Pick<Conversion, 'minRatio' | 'maxRatio' | 'background'>;

/** Undefined unless padding is chosen and the platform limits the ratio. */
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
  // A photo is not converted to PNG; a PNG that is too large may fit as JPEG.
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
  // Padding makes it larger, so the bounds apply then as well.
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

/** Where the longer and the shorter side are limited, portrait and landscape videos have the same limits. */
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
