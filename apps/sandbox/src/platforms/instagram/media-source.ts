import { inspectImage, inspectVideo } from '../../media/inspect.ts';
import { pull, pullInto } from '../../media/pull.ts';
import type { SpooledFile } from '../../media/spool.ts';
import { keepMedia, type Media } from '../../world/media.ts';
import type { World } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';
import { rejectMedia } from './errors.ts';
import { limits } from './limits.ts';

type Failure = { code: number; message: string };
/** The uploaded media, or the URL to fetch. */
export type VideoSource = { url: string } | { bytes: SpooledFile };

/** Images are fetched and checked before the response. Covers and stories may have any ratio. */
export async function imageFrom(world: World, url: string, altText: string | null, ratios: 'of the feed' | 'any ratio'): Promise<Media> {
  const got = await pull(url, limits.imageBytes);
  if (!got.ok || !got.contentType.startsWith('image/')) throw rejectMedia('not_fetched');
  if (got.bytes.length > limits.imageBytes) throw rejectMedia('image_too_large');
  const image = await inspectImage(got.bytes);
  if (image?.contentType !== 'image/jpeg' || got.contentType !== 'image/jpeg') throw rejectMedia('image_format');
  const ratio = image.width / image.height;
  if (ratios === 'of the feed' && (ratio < limits.imageRatio.min - 0.005 || ratio > limits.imageRatio.max + 0.005))
    throw rejectMedia('image_ratio');
  return keepMedia(world, got.bytes, image, url, altText);
}

/** Videos are fetched and checked in the background: problems appear in the container's status. */
export async function videoFrom({ world, spool }: Sandbox, source: VideoSource, story: boolean): Promise<Media | Failure> {
  const rules = story ? limits.story : limits.reel;
  const got = 'url' in source ? await pullInto(spool, source.url, rules.bytes) : { ok: true as const, bytes: source.bytes };
  if (!got.ok) return { code: 2_207_077, message: `Video download failed: ${got.why}` };
  const video = await inspectVideo(got.bytes);
  if (!video || got.bytes.length > rules.bytes) return unsupported('the file');
  if (!(limits.videoTypes as readonly string[]).includes(video.contentType)) return unsupported('the container format');
  if (!(limits.codecs as readonly (string | null)[]).includes(video.codec)) return unsupported('the codec');
  if (video.durationMs === null || video.durationMs < rules.minMs - 50 || video.durationMs > rules.maxMs)
    return unsupported('the duration');
  const ratio = video.width / video.height;
  if (video.width > limits.videoMaxWidth || ratio < limits.videoRatio.min || ratio > limits.videoRatio.max)
    return unsupported('the dimensions');
  const { min, max } = limits.framesPerSecond;
  if (video.framesPerSecond !== null && (video.framesPerSecond < min - 0.5 || video.framesPerSecond > max + 0.5))
    return unsupported('the frame rate');
  return keepMedia(world, got.bytes, video, 'url' in source ? source.url : null);
}

const unsupported = (what: string): Failure => ({ code: 2_207_026, message: `The video format is not supported: check ${what}` });
