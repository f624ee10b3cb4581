import { inspectImage } from '../../media/inspect.ts';
import { pull } from '../../media/pull.ts';
import { keepMedia, type Media } from '../../world/media.ts';
import type { World } from '../../world/world.ts';
import { validationError } from './errors.ts';
import { limits } from './limits.ts';

/** Fetches the image while the caller waits, and rejects what Google would not accept. */
export async function photoFrom(world: World, url: string): Promise<Media> {
  const { bytes: most, minBytes, minSide, maxSide, types } = limits.photo;
  const got = await pull(url, most);
  if (!got.ok || !got.contentType.startsWith('image/')) throw validationError({ code: 1000, message: 'Fetching image failed.' });
  const rejected = (message: string) => validationError({ code: 21, field: 'media.source_url', message });
  if (got.bytes.length > most) throw rejected('Photo file is too large.');
  if (got.bytes.length < minBytes) throw rejected(`Photo must have at least ${minBytes} bytes.`);
  const image = await inspectImage(got.bytes);
  if (!image || image.frames > 1 || !(types as readonly string[]).includes(image.contentType))
    throw rejected('Photo must be a JPG or PNG.');
  const [short, long] = [Math.min(image.width, image.height), Math.max(image.width, image.height)];
  if (short < minSide) throw rejected(`Photo must be at least ${minSide} px on its short edge.`);
  if (long > maxSide) throw rejected('Photo dimensions are too large.');
  return keepMedia(world, got.bytes, image, url);
}
