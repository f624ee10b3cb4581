import { anImage, aReel } from '../../test/a-content.ts';
import type { Platform } from '../platform.ts';
import { platformRules } from '../platform.ts';
import { sourceOf } from './source-of.ts';

test.each<[Platform, string, RegExp]>([
  ['facebook', 'caption', /pages-api\/posts$/],
  ['facebook', 'media.0', /page\/photos$/],
  ['facebook', 'media.1', /reels-publishing$/],
  ['linkedin', 'media.0', /images-api$/],
  ['linkedin', 'options.visibility', /posts-api$/],
  ['tiktok', 'options.privacy_level', /reference-direct-post$/],
  ['tiktok', 'media.1', /media-transfer-guide$/],
  ['x', 'first_comment', /counting-characters$/],
  ['x', 'media', /media\/quickstart\/best-practices$/],
  ['x', 'media.1', /media\/quickstart\/best-practices$/],
  ['youtube', 'options.category_id', /docs\/videoCategories\/list$/],
  ['youtube', 'options.tags', /docs\/videos$/],
  ['youtube', 'title', /docs\/videos$/],
  ['youtube', 'media.1', /docs\/videos\/insert$/],
])("a rule of %s about %s has the platform's own page about that", (platform, field, page) => {
  const rules = platformRules[platform];
  expect(rules && sourceOf(rules, { media: [anImage(), aReel()] }, field)).toMatch(page);
});
