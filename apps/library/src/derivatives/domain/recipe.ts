import { createHash } from 'node:crypto';
import type { DerivativeRecipe } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';

/** What a derivative must be. Stored, so its fields must keep their names. Absent fields have no bound. */
export type Recipe = FitRecipe | WithoutLocation;

/** A copy without location data. */
interface WithoutLocation {
  readonly without_location: true;
}

/** An image or video within bounds. The fields are those of DerivativeRecipe in the contract. */
export interface FitRecipe {
  readonly mime_type: 'image/jpeg' | 'image/png' | 'video/mp4';
  readonly max_width?: number;
  readonly max_height?: number;
  readonly min_width?: number;
  readonly max_bytes?: number;
  readonly min_ratio?: number;
  readonly max_ratio?: number;
  readonly background?: string;
  readonly max_frame_rate?: number;
  readonly max_bit_rate?: number;
  readonly frame_at_ms?: number;
}

/** Increase it when the same recipe has another result, so that derivatives are made again. */
const VERSION = 1;

/** Identifies the derivative of these bytes by this recipe. */
export function recipeKey(sha256: string, recipe: Recipe): string {
  const sorted = Object.fromEntries(Object.entries(recipe).sort(([a], [b]) => (a < b ? -1 : 1)));
  return createHash('sha256')
    .update(JSON.stringify([VERSION, sha256, sorted]))
    .digest('hex');
}

/** The properties of a source that decide whether a derivative can be made. */
interface RecipeSource {
  readonly type: 'image' | 'video' | 'audio';
  readonly mime_type: string;
  readonly duration_ms?: number;
}

/**
 * Reads and validates the recipe of a request.
 * @throws DomainError if it is not valid, or not possible for this source
 */
export function recipeFor(source: RecipeSource, wire: DerivativeRecipe | undefined): FitRecipe {
  const { mimeType = '' } = wire ?? {};
  if (!isKnown(mimeType)) throw rejected('mime_type must be image/jpeg, image/png or video/mp4.');
  const recipe: FitRecipe = {
    mime_type: mimeType,
    ...given('max_width', wire?.maxWidth, pixels),
    ...given('max_height', wire?.maxHeight, pixels),
    ...given('min_width', wire?.minWidth, pixels),
    ...given('max_bytes', wire?.maxBytes, (value) => value >= 1_000),
    ...given('min_ratio', wire?.minRatio, ratio),
    ...given('max_ratio', wire?.maxRatio, ratio),
    ...given('background', wire?.background?.toLowerCase(), (value) => /^#[0-9a-f]{6}$/.test(value)),
    ...given('max_frame_rate', wire?.maxFrameRate, (value) => value >= 1 && value <= 240),
    ...given('max_bit_rate', wire?.maxBitRate, (value) => value >= 100_000),
    ...given('frame_at_ms', wire?.frameAtMs, (value) => value >= 0),
  };
  if (recipe.min_ratio !== undefined && recipe.max_ratio !== undefined && recipe.min_ratio > recipe.max_ratio) {
    throw rejected('min_ratio must not be greater than max_ratio.');
  }
  if (recipe.min_width !== undefined && recipe.max_width !== undefined && recipe.min_width > recipe.max_width) {
    throw rejected('min_width must not be greater than max_width.');
  }
  checkSource(source, recipe);
  // The image of a video is its first frame by default.
  return source.type === 'video' && recipe.mime_type !== 'video/mp4' ? { ...recipe, frame_at_ms: recipe.frame_at_ms ?? 0 } : recipe;
}

function checkSource({ type, mime_type, duration_ms }: RecipeSource, recipe: FitRecipe): void {
  if (type === 'audio') throw rejected('Audio cannot be converted to an image or a video.');
  const makesVideo = recipe.mime_type === 'video/mp4';
  if (makesVideo && type === 'image' && mime_type !== 'image/gif') throw rejected('A video can be created only from a video or a GIF.');
  if (recipe.frame_at_ms !== undefined && (makesVideo || type !== 'video'))
    throw rejected('frame_at_ms is allowed only for an image created from a video.');
  if (recipe.frame_at_ms !== undefined && recipe.frame_at_ms > (duration_ms ?? 0))
    throw rejected('frame_at_ms is after the end of the video.');
}

const isKnown = (mimeType: string): mimeType is FitRecipe['mime_type'] => ['image/jpeg', 'image/png', 'video/mp4'].includes(mimeType);
const pixels = (value: number) => value >= 2 && value <= 16_384;
const ratio = (value: number) => value >= 0.01 && value <= 100;

function given<K extends keyof FitRecipe, T>(name: K, value: T | undefined, isGood: (value: T) => boolean): Partial<Record<K, T>> {
  if (value === undefined) return {};
  if (!isGood(value)) throw rejected(`${name} is out of range.`);
  return { [name]: value } as Partial<Record<K, T>>;
}

const rejected = (detail: string) => new DomainError('invalid_value', detail, { param: 'recipe' });
