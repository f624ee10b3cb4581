import { DerivativeRecipe } from '@fanfare/contracts/library';
import { recipeFor, recipeKey } from './recipe.ts';

const image = { type: 'image', mime_type: 'image/jpeg' } as const;
const video = { type: 'video', mime_type: 'video/mp4', duration_ms: 1000 } as const;
const audio = { type: 'audio', mime_type: 'audio/mpeg' } as const;
const wire = (recipe: Partial<DerivativeRecipe>) => DerivativeRecipe.fromPartial(recipe);

test('absent fields have no bound', () => {
  expect(recipeFor(image, wire({ mimeType: 'image/jpeg', maxWidth: 1440 }))).toEqual({ mime_type: 'image/jpeg', max_width: 1440 });
});

test('an image of a video is its first frame by default', () => {
  expect(recipeFor(video, wire({ mimeType: 'image/png' }))).toEqual({ mime_type: 'image/png', frame_at_ms: 0 });
  expect(recipeFor(video, wire({ mimeType: 'image/png', frameAtMs: 500 }))).toMatchObject({ frame_at_ms: 500 });
});

test('the same bytes and recipe have the same key, whatever the order of the fields', () => {
  const key = recipeKey('aa', { mime_type: 'image/jpeg', max_width: 2, max_height: 3 });
  expect(recipeKey('aa', { max_height: 3, max_width: 2, mime_type: 'image/jpeg' })).toBe(key);
  expect(recipeKey('ab', { mime_type: 'image/jpeg', max_width: 2, max_height: 3 })).not.toBe(key);
  expect(recipeKey('aa', { mime_type: 'image/png', max_width: 2, max_height: 3 })).not.toBe(key);
});

test.each([
  ['no type', image, {}],
  ['another type', image, { mimeType: 'image/webp' }],
  ['no width', image, { mimeType: 'image/jpeg', maxWidth: 0 }],
  ['a huge width', image, { mimeType: 'image/jpeg', maxWidth: 1_000_000 }],
  ['contradictory ratios', image, { mimeType: 'image/jpeg', minRatio: 2, maxRatio: 1 }],
  ['contradictory widths', image, { mimeType: 'image/jpeg', minWidth: 200, maxWidth: 100 }],
  ['a ratio that is NaN', image, { mimeType: 'image/jpeg', minRatio: NaN }],
  ['a background that is not a color', image, { mimeType: 'image/jpeg', background: '#fff:text=x' }],
  ['a video of a still image', image, { mimeType: 'video/mp4' }],
  ['an image of audio', audio, { mimeType: 'image/jpeg' }],
  ['a frame of an image', image, { mimeType: 'image/jpeg', frameAtMs: 0 }],
  ['a frame after the end', video, { mimeType: 'image/jpeg', frameAtMs: 1001 }],
  ['a frame as a video', video, { mimeType: 'video/mp4', frameAtMs: 0 }],
])('%s is rejected', (_what, source, recipe) => {
  expect(() => recipeFor(source, wire(recipe))).toThrow(expect.objectContaining({ code: 'invalid_value', param: 'recipe' }));
});
