import twitter from 'twitter-text';
import type { Content, ContentMedia } from './connector.ts';
import { limitsFor, type Limits, type TextLimit } from './limits.ts';
import { linkBehind } from './link-behind.ts';
import { countText, HASHTAG, MENTION } from './count-text.ts';

/** One way in which a post breaks a platform's limits. */
export interface ContentFinding {
  readonly rule:
    | 'required'
    | 'max_length'
    | 'max_count'
    | 'max_hashtags'
    | 'max_mentions'
    | 'max_cashtags'
    | 'forbidden'
    | 'mime_type'
    | 'min_bytes'
    | 'max_bytes'
    | 'pixels'
    | 'ratio'
    | 'duration'
    | 'mixed_media'
    | 'unsupported'
    | 'invalid';
  /** Where: `caption`, `first_comment`, `media`, `media.2`. */
  readonly field: string;
  readonly limit: string | number;
  readonly value: string | number;
  /** For the caller to read. */
  readonly message: string;
}

/** As much of a picture or video as is known before it is sent. */
export type CheckedMedia = Omit<ContentMedia, 'id' | 'publicUrl' | 'read'>;
export type CheckedContent = Omit<Content, 'media' | 'cover'> & { readonly media: readonly CheckedMedia[] };

/** Finds what no table can say: parts and options of a post that exclude each other. */
export type CheckCombination = (content: CheckedContent) => ContentFinding[];

/** Holds a post against the limits that the request builder goes by. Nothing found means: as far as we know, the platform takes it. */
export function checkContent(
  { limits: all, check }: { readonly limits: Limits; readonly check?: CheckCombination | undefined },
  content: CheckedContent,
): ContentFinding[] {
  const limits = limitsFor(all, content.options);
  return [
    ...checkText('caption', content.caption, textLimitOf(limits, content)),
    ...(content.title && limits.title ? checkText('title', content.title, limits.title) : []),
    ...(content.firstComment && limits.comment ? checkText('first_comment', content.firstComment, limits.comment) : []),
    ...(content.link && limits.link ? checkText('link', content.link, limits.link) : []),
    ...checkPresence(limits, content),
    ...checkCounts(limits, content.media),
    ...content.media.flatMap((media, index) => checkMedia(limits, media, `media.${index}`)),
    ...(check?.(content) ?? []),
  ];
}

/** That two things do not go together. */
export function unsupported(field: string, message: string): ContentFinding {
  return { rule: 'unsupported', field, limit: 0, value: 1, message };
}

/** A video's text may be limited apart from that of pictures, and a link behind the text takes some of the room. */
export function textLimitOf(all: Limits, { caption, link, media, options }: CheckedContent): TextLimit {
  const { text, videos, appendsLink } = limitsFor(all, options);
  const limit = media.some(({ type }) => type === 'video') ? (videos.text ?? text) : text;
  if (!appendsLink || !link) return limit;
  const isIn = caption.includes(link) && countText(caption, limit.unit) <= limit.max;
  return isIn ? limit : { ...limit, max: Math.max(0, limit.max - countText(linkBehind('a', link).slice(1), limit.unit)) };
}

function checkText(field: string, text: string, limit: TextLimit): ContentFinding[] {
  // Counting is the costly part, so only what is limited is counted.
  const counts = [
    ['max_length', limit.unit === 'utf8_bytes' ? 'bytes' : 'characters', limit.max, () => countText(text, limit.unit)],
    ['max_hashtags', 'hashtags', limit.maxHashtags, () => text.match(HASHTAG)?.length ?? 0],
    ['max_mentions', 'mentions', limit.maxMentions, () => text.match(MENTION)?.length ?? 0],
    ['max_cashtags', 'cashtags', limit.maxCashtags, () => twitter.extractCashtags(text).length],
  ] as const;
  const tooMany = counts.flatMap(([rule, what, max, count]) => {
    if (max === undefined) return [];
    const value = count();
    return value > max ? [{ rule, field, limit: max, value, message: `${value} ${what}; at most ${max} are allowed.` }] : [];
  });
  const value = (limit.forbidden ?? []).filter((one) => text.includes(one)).join(' ');
  if (value === '') return tooMany;
  return [
    ...tooMany,
    { rule: 'forbidden', field, limit: limit.forbidden?.join(' ') ?? '', value, message: `${value} cannot stand in it.` },
  ];
}

function checkPresence(limits: Limits, { caption, title, link, media }: CheckedContent): ContentFinding[] {
  const missing = (field: string, message: string): ContentFinding => ({ rule: 'required', field, limit: 1, value: 0, message });
  const untitled = limits.needsTitle && !title?.trim() && caption.trim() === '';
  const findings = untitled ? [missing('title', 'A title is required, or a caption to take it from.')] : [];
  if (media.length > 0) return findings;
  if (!limits.textOnly) return [...findings, missing('media', `A ${limits.images.max > 0 ? 'picture or a ' : ''}video is required.`)];
  const empty = caption.trim() === '' && !(link && limits.linkAlone);
  return empty ? [...findings, missing('caption', 'A text, a picture or a video is required.')] : findings;
}

function checkCounts(limits: Limits, media: readonly CheckedMedia[]): ContentFinding[] {
  const images = media.filter(({ type }) => type === 'image').length;
  const videos = media.length - images;
  const findings: ContentFinding[] = [];
  const check = (what: string, value: number, max: number) => {
    if (value > max)
      findings.push({ rule: 'max_count', field: 'media', limit: max, value, message: `${value} ${what}; at most ${max} are allowed.` });
  };
  check('pictures', images, limits.images.max);
  check('videos', videos, limits.videos.max);
  if (images > 0 && videos > 0) {
    if (limits.mixedMedia) check('pictures and videos', media.length, limits.maxMedia);
    else findings.push(mixed('Pictures and videos cannot stand in one post.', media.length));
  }
  if (limits.images.gif && media.length > 1 && media.some(isGif))
    findings.push(mixed('An animated picture must stand alone.', media.length));
  return findings;
}

function mixed(message: string, value: number): ContentFinding {
  return { rule: 'mixed_media', field: 'media', limit: 1, value, message };
}

function checkMedia(limits: Limits, media: CheckedMedia, field: string): ContentFinding[] {
  const kind = media.type === 'image' ? limits.images : limits.videos;
  // That none is taken is said once, and not by all that is wrong with each.
  if (kind.max === 0) return [];
  const maxBytes = isGif(media) ? (limits.images.gif?.maxBytes ?? limits.images.maxBytes) : kind.maxBytes;
  const ratio = media.width / media.height;
  const findings: ContentFinding[] = [];
  const found = (rule: ContentFinding['rule'], limit: string | number, value: string | number, message: string) =>
    findings.push({ rule, field, limit, value, message });

  if (!kind.mimeTypes.includes(media.mimeType)) {
    found('mime_type', kind.mimeTypes.join(', '), media.mimeType, `${media.mimeType} is not accepted; ${kind.mimeTypes.join(', ')} are.`);
  }
  if (kind.minBytes !== undefined && media.sizeBytes < kind.minBytes) {
    found('min_bytes', kind.minBytes, media.sizeBytes, `${media.sizeBytes} bytes; at least ${kind.minBytes} are needed.`);
  }
  if (maxBytes !== undefined && media.sizeBytes > maxBytes) {
    found('max_bytes', maxBytes, media.sizeBytes, `${media.sizeBytes} bytes; at most ${maxBytes} are allowed.`);
  }
  if (media.type === 'image') checkPicture(limits.images, media, found);
  if (isGif(media) && limits.images.gif) checkFrame(limits.images.gif, media, found);
  if (kind.minRatio !== undefined && ratio < kind.minRatio) {
    found('ratio', kind.minRatio, ratio, `Too tall: width to height is ${ratio.toFixed(2)}, at least ${rounded(kind.minRatio)} is needed.`);
  }
  if (kind.maxRatio !== undefined && ratio > kind.maxRatio) {
    found('ratio', kind.maxRatio, ratio, `Too wide: width to height is ${ratio.toFixed(2)}, at most ${rounded(kind.maxRatio)} is allowed.`);
  }
  if (media.type === 'video') {
    checkFrame(limits.videos, media, found);
    findings.push(...checkDuration(limits.videos, media.durationMs, field));
  }
  if (limits.maxAltTextLength !== undefined && countText(media.altText, 'code_points') > limits.maxAltTextLength) {
    const length = countText(media.altText, 'code_points');
    found(
      'max_length',
      limits.maxAltTextLength,
      length,
      `The alt text has ${length} characters; at most ${limits.maxAltTextLength} are allowed.`,
    );
  }
  return findings;
}

function checkPicture(
  { minSide, maxPixels }: Limits['images'],
  { width, height }: CheckedMedia,
  found: (rule: ContentFinding['rule'], limit: number, value: number, message: string) => unknown,
): void {
  const [side, pixels] = [Math.min(width, height), width * height];
  if (minSide !== undefined && side < minSide) {
    found('pixels', minSide, side, `The shorter side has ${side} pixels; at least ${minSide} are needed.`);
  }
  if (maxPixels !== undefined && pixels > maxPixels) {
    found('pixels', maxPixels, pixels, `${width} × ${height} are ${pixels} pixels; at most ${maxPixels} are allowed.`);
  }
}

function checkFrame(
  { minSide, maxWidth, maxHeight }: Pick<Limits['videos'], 'minSide' | 'maxWidth' | 'maxHeight'>,
  { width, height }: CheckedMedia,
  found: (rule: ContentFinding['rule'], limit: number, value: number, message: string) => unknown,
): void {
  const shorter = Math.min(width, height);
  if (minSide !== undefined && shorter < minSide) {
    found('pixels', minSide, shorter, `The shorter side has ${shorter} pixels; at least ${minSide} are needed.`);
  }
  if (maxWidth !== undefined && width > maxWidth)
    found('pixels', maxWidth, width, `It is ${width} pixels wide; at most ${maxWidth} are allowed.`);
  if (maxHeight !== undefined && height > maxHeight) {
    found('pixels', maxHeight, height, `It is ${height} pixels high; at most ${maxHeight} are allowed.`);
  }
}

function checkDuration({ minDurationMs, maxDurationMs }: Limits['videos'], value: number | undefined, field: string): ContentFinding[] {
  if (value === undefined) return [];
  if (minDurationMs !== undefined && value < minDurationMs) {
    return [
      { rule: 'duration', field, limit: minDurationMs, value, message: `${value} ms long; at least ${minDurationMs} ms are needed.` },
    ];
  }
  if (maxDurationMs !== undefined && value > maxDurationMs) {
    return [
      { rule: 'duration', field, limit: maxDurationMs, value, message: `${value} ms long; at most ${maxDurationMs} ms are allowed.` },
    ];
  }
  return [];
}

const rounded = (ratio: number) => Number(ratio.toFixed(2));

function isGif({ mimeType }: CheckedMedia): boolean {
  return mimeType === 'image/gif';
}
