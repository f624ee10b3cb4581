import type { CheckedMedia, ContentFinding } from './content-finding.ts';
import { countText } from '../text/count-text.ts';
import type { Limits } from '../limits.ts';

type Found = (rule: ContentFinding['rule'], limit: string | number, value: string | number, message: string) => unknown;

/** Checks the images and videos of a post against the limits, individually and together. */
export function checkMedia(limits: Limits, media: readonly CheckedMedia[]): ContentFinding[] {
  return [...checkCounts(limits, media), ...media.flatMap((one, index) => checkOne(limits, one, `media.${index}`))];
}

function checkCounts(limits: Limits, media: readonly CheckedMedia[]): ContentFinding[] {
  const images = media.filter(({ type }) => type === 'image').length;
  const videos = media.length - images;
  const findings: ContentFinding[] = [];
  const check = (what: string, value: number, max: number) => {
    if (value <= max) return;
    const message = max === 0 ? `This platform does not accept ${what}.` : `${value} ${what}; at most ${max} are allowed.`;
    findings.push({ rule: 'max_count', field: 'media', limit: max, value, message });
  };
  check('images', images, limits.images.max);
  check('videos', videos, limits.videos.max);
  if (images > 0 && videos > 0) {
    if (limits.mixedMedia) check('images and videos', media.length, limits.maxMedia);
    else findings.push(mixed('This platform does not allow images and videos in the same post.', media.length));
  }
  if (limits.images.gif && media.length > 1 && media.some(isGif))
    findings.push(mixed('An animated GIF must be the only media of its post.', media.length));
  return findings;
}

function mixed(message: string, value: number): ContentFinding {
  return { rule: 'mixed_media', field: 'media', limit: 1, value, message };
}

function checkOne(limits: Limits, media: CheckedMedia, field: string): ContentFinding[] {
  const kind = media.type === 'image' ? limits.images : limits.videos;
  // One finding says that none are accepted; further findings about each would not help.
  if (kind.max === 0) return [];
  const maxBytes = isGif(media) ? (limits.images.gif?.maxBytes ?? limits.images.maxBytes) : kind.maxBytes;
  const ratio = media.width / media.height;
  const findings: ContentFinding[] = [];
  const found: Found = (rule, limit, value, message) => findings.push({ rule, field, limit, value, message });

  if (!kind.mimeTypes.includes(media.mimeType)) {
    found(
      'mime_type',
      kind.mimeTypes.join(', '),
      media.mimeType,
      `${media.mimeType} is not accepted. Accepted types: ${kind.mimeTypes.join(', ')}.`,
    );
  }
  if (kind.minBytes !== undefined && media.sizeBytes < kind.minBytes) {
    found('min_bytes', kind.minBytes, media.sizeBytes, `${media.sizeBytes} bytes; at least ${kind.minBytes} are required.`);
  }
  if (maxBytes !== undefined && media.sizeBytes > maxBytes) {
    found('max_bytes', maxBytes, media.sizeBytes, `${media.sizeBytes} bytes; at most ${maxBytes} are allowed.`);
  }
  if (media.type === 'image') checkImage(limits.images, media, found);
  if (isGif(media) && limits.images.gif) checkFrame(limits.images.gif, media, found);
  if (kind.minRatio !== undefined && ratio < kind.minRatio) {
    found(
      'ratio',
      kind.minRatio,
      ratio,
      `Too tall: the aspect ratio (width / height) is ${ratio.toFixed(2)}; at least ${rounded(kind.minRatio)} is required.`,
    );
  }
  if (kind.maxRatio !== undefined && ratio > kind.maxRatio) {
    found(
      'ratio',
      kind.maxRatio,
      ratio,
      `Too wide: the aspect ratio (width / height) is ${ratio.toFixed(2)}; at most ${rounded(kind.maxRatio)} is allowed.`,
    );
  }
  if (media.type === 'video') {
    checkFrame(limits.videos, media, found);
    checkMotion(limits.videos, media, found);
  }
  const isDescribed = media.type === 'image' || limits.videoAltText;
  if (isDescribed && limits.maxAltTextLength !== undefined && countText(media.altText, 'code_points') > limits.maxAltTextLength) {
    const length = countText(media.altText, 'code_points');
    const message = `The alt text has ${length} characters; at most ${limits.maxAltTextLength} are allowed.`;
    findings.push({ rule: 'max_length', field, part: 'alt_text', limit: limits.maxAltTextLength, value: length, message });
  }
  return findings;
}

function checkImage(
  { minSide, maxSide, maxPixels, maxFrames }: Limits['images'],
  { width, height, frames = 1 }: CheckedMedia,
  found: Found,
): void {
  const [side, longer, pixels] = [Math.min(width, height), Math.max(width, height), width * height];
  if (minSide !== undefined && side < minSide) {
    found('pixels', minSide, side, `The shorter side has ${side} pixels; at least ${minSide} are required.`);
  }
  if (maxSide !== undefined && longer > maxSide) {
    found('pixels', maxSide, longer, `The longer side has ${longer} pixels; at most ${maxSide} are allowed.`);
  }
  if (maxPixels !== undefined && pixels > maxPixels) {
    found('pixels', maxPixels, pixels, `${width} × ${height} is ${pixels} pixels; at most ${maxPixels} are allowed.`);
  }
  if (maxFrames !== undefined && frames > maxFrames) {
    found('frames', maxFrames, frames, `The animation has ${frames} frames; at most ${maxFrames} are allowed.`);
  }
}

type FrameLimits = Pick<Limits['videos'], 'minSide' | 'maxWidth' | 'maxHeight' | 'maxLongerSide' | 'maxShorterSide'>;

function checkFrame(
  { minSide, maxWidth, maxHeight, maxLongerSide, maxShorterSide }: FrameLimits,
  { width, height }: CheckedMedia,
  found: Found,
): void {
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)];
  if (minSide !== undefined && shorter < minSide) {
    found('pixels', minSide, shorter, `The shorter side has ${shorter} pixels; at least ${minSide} are required.`);
  }
  if (maxWidth !== undefined && width > maxWidth)
    found('pixels', maxWidth, width, `It is ${width} pixels wide; at most ${maxWidth} are allowed.`);
  if (maxHeight !== undefined && height > maxHeight) {
    found('pixels', maxHeight, height, `It is ${height} pixels high; at most ${maxHeight} are allowed.`);
  }
  if (maxLongerSide !== undefined && longer > maxLongerSide) {
    found('pixels', maxLongerSide, longer, `The longer side has ${longer} pixels; at most ${maxLongerSide} are allowed.`);
  }
  if (maxShorterSide !== undefined && shorter > maxShorterSide) {
    found('pixels', maxShorterSide, shorter, `The shorter side has ${shorter} pixels; at most ${maxShorterSide} are allowed.`);
  }
}

function checkMotion(
  { minDurationMs, maxDurationMs, minFrameRate, maxFrameRate }: Limits['videos'],
  { durationMs, frameRate }: CheckedMedia,
  found: Found,
): void {
  if (durationMs !== undefined && minDurationMs !== undefined && durationMs < minDurationMs) {
    found('duration', minDurationMs, durationMs, `${durationMs} ms long; at least ${minDurationMs} ms are required.`);
  }
  if (durationMs !== undefined && maxDurationMs !== undefined && durationMs > maxDurationMs) {
    found('duration', maxDurationMs, durationMs, `${durationMs} ms long; at most ${maxDurationMs} ms are allowed.`);
  }
  if (frameRate !== undefined && minFrameRate !== undefined && frameRate < minFrameRate) {
    found('frame_rate', minFrameRate, frameRate, `${frameRate} frames per second; at least ${minFrameRate} are required.`);
  }
  if (frameRate !== undefined && maxFrameRate !== undefined && frameRate > maxFrameRate) {
    found('frame_rate', maxFrameRate, frameRate, `${frameRate} frames per second; at most ${maxFrameRate} are allowed.`);
  }
}

const rounded = (ratio: number) => Number(ratio.toFixed(2));

function isGif({ mimeType }: CheckedMedia): boolean {
  return mimeType === 'image/gif';
}
