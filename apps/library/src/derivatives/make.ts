import type { MediaDocument } from '../media/store/media.ts';
import type { Tools } from '@fanfare/media-tools';
import { makeImage } from './make-image.ts';
import { makeVideo } from './make-video.ts';
import { extractFrame } from './extract-frame.ts';
import type { Recipe } from './domain/recipe.ts';
import { withoutLocation } from './without-location.ts';

/** What a worker needs to make a derivative. */
export interface MakeOrder {
  readonly recipe: Recipe;
  readonly source: MakeSource;
  /** The local file of the source. */
  readonly file: string;
  /** The local file to write. */
  readonly output: string;
}

type MakeSource = Pick<MediaDocument, 'type' | 'mime_type' | 'width' | 'height' | 'duration_ms' | 'facts'>;

/** The properties of a derivative. */
export interface Made {
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  readonly durationMs?: number;
  /** Only for images: a tiny image as a data URI. */
  readonly placeholder?: string;
}

/** @throws MediaRejected if the file cannot be converted; retries do not help */
export async function make(order: MakeOrder, tools: Tools): Promise<Made> {
  const { recipe, source } = order;
  if ('without_location' in recipe) return withoutLocation(order, tools);
  if (recipe.mime_type === 'video/mp4') return makeVideo(order, recipe, tools);
  if (source.type !== 'video') return makeImage(order.file, recipe, order.output);
  return extractFrame(order, recipe, tools, (frame) => makeImage(frame, recipe, order.output));
}
