import { aContent, anImage, aReel, aVideo } from '../../test/a-content.ts';
import { checkUnsent } from './check-unsent.ts';
import type { Content, Options } from '../connector.ts';
import type { Platform } from '../platform.ts';
import { platformRules } from '../platform.ts';
import type { CoverField } from '../platform-rules.ts';

const link = 'https://example.com/a';

function found(
  platform: Platform,
  content: Partial<Content>,
  isOwnLink: boolean,
  ownOptions: Options = content.options ?? {},
  ownCovers: readonly CoverField[] = [],
): string[] {
  const rules = platformRules[platform];
  if (!rules) throw new Error(platform);
  const hasMedia = (content.media ?? []).length > 0;
  return checkUnsent(rules, aContent(content), { hasMedia, isOwnLink, ownCovers, ownOptions }).map(({ rule, field }) => `${field} ${rule}`);
}

test.each<[Platform, Content['options'], boolean]>([
  ['google_business', {}, false],
  ['pinterest', {}, false],
  ['tiktok', {}, false],
  ['youtube', { made_for_kids: true }, false],
  ['youtube', { made_for_kids: false }, true],
  ['facebook', {}, true],
  ['instagram', {}, true],
  ['linkedin', {}, true],
  ['x', {}, true],
])('a first comment on %s with %j is sent: %j', (platform, options = {}, isSent) => {
  const content = { media: [aReel()], firstComment: 'First!', options };
  expect(found(platform, content, false)).toEqual(isSent ? [] : ['first_comment unsupported']);
});

test.each<[Platform, Partial<Content>, { general: boolean; own: boolean }]>([
  ['facebook', {}, { general: true, own: true }],
  ['facebook', { media: [anImage()] }, { general: false, own: false }],
  ['google_business', { media: [anImage()] }, { general: true, own: true }],
  ['pinterest', { media: [anImage()] }, { general: true, own: true }],
  ['x', { options: { append_link: true } }, { general: true, own: true }],
  // A link of the whole post is meant for the platforms that show links.
  ['x', {}, { general: true, own: false }],
  ['instagram', { media: [anImage()] }, { general: true, own: false }],
  ['linkedin', {}, { general: true, own: false }],
  ['linkedin', { options: { article: true } }, { general: true, own: true }],
  ['linkedin', { media: [anImage()], options: { article: true } }, { general: false, own: false }],
  ['tiktok', { media: [aReel()] }, { general: true, own: false }],
  ['youtube', { media: [aReel()] }, { general: true, own: false }],
])('a link on %s of %j needs no warning: %j', (platform, content, isFine) => {
  expect(found(platform, { ...content, link }, false)).toEqual(isFine.general ? [] : ['link ignored']);
  expect(found(platform, { ...content, link }, true)).toEqual(isFine.own ? [] : ['link ignored']);
});

test.each<[Platform, Partial<Content>, string | undefined]>([
  ['x', {}, 'append_link'],
  ['x', { media: [anImage()] }, 'append_link'],
  ['linkedin', {}, 'article'],
  ['linkedin', { media: [anImage()] }, undefined],
  ['instagram', { media: [anImage()] }, undefined],
])('the warning about a link on %s with %j names the option that shows it: %s', (platform, content, option) => {
  const rules = platformRules[platform];
  const context = { hasMedia: content.media !== undefined, isOwnLink: true, ownCovers: [], ownOptions: {} };
  const [finding] = rules ? checkUnsent(rules, aContent({ ...content, link }), context) : [];
  expect(finding?.message).toBe(
    `This platform does not show links; the link is not sent.${option ? ` To show it, set the option ${option}.` : ''}`,
  );
});

test.each<[Platform, string, Partial<Content>, readonly string[]]>([
  ['facebook', 'a text', { options: { is_ai_generated: true, kind: 'reel' } }, ['kind', 'is_ai_generated']],
  ['facebook', 'an image', { media: [anImage()], options: { is_ai_generated: true } }, ['is_ai_generated']],
  ['facebook', 'an image, without a label', { media: [anImage()], options: { is_ai_generated: false } }, []],
  ['facebook', 'a reel', { media: [aReel()], options: { is_ai_generated: true, kind: 'reel' } }, []],
  ['google_business', 'an offer', { options: { topic_type: 'OFFER', call_to_action: { action_type: 'CALL' } } }, ['call_to_action']],
  ['google_business', 'an event', { options: { topic_type: 'EVENT', call_to_action: { action_type: 'CALL' } } }, []],
  ['tiktok', 'a draft of photos', { media: [anImage()], options: { post_mode: 'draft', photo_cover_index: 0 } }, []],
  [
    'tiktok',
    'a draft of photos with a privacy level',
    { media: [anImage()], options: { post_mode: 'draft', privacy_level: 'SELF_ONLY', disable_comment: false } },
    ['privacy_level'],
  ],
  [
    'tiktok',
    'a draft of a video',
    { caption: '', media: [aVideo()], options: { post_mode: 'draft', disclose_ai_generated: true, photo_cover_index: 1 } },
    ['disclose_ai_generated', 'photo_cover_index'],
  ],
  ['linkedin', 'a text without a link', { options: { article: true, article_description: 'Rye' } }, ['article', 'article_description']],
  ['linkedin', 'a link that is no card', { link, options: { article_description: 'Rye' } }, ['article_description']],
  ['linkedin', 'a card', { link, options: { article: true, article_description: 'Rye' } }, []],
  [
    'tiktok',
    'photos',
    { media: [anImage()], options: { disable_duet: true, disable_stitch: true, disable_comment: true } },
    ['disable_duet', 'disable_stitch'],
  ],
  [
    'tiktok',
    'a video',
    { media: [aVideo()], options: { auto_add_music: true, photo_cover_index: 0, disable_duet: true } },
    ['auto_add_music', 'photo_cover_index'],
  ],
])('%s sends %s without inapplicable options, and warns about those of the post', (platform, _what, content, names) => {
  const ignored = names.map((name) => `options.${name} ignored`);
  expect(found(platform, content, false)).toEqual(ignored);
  // Settings of an account apply to all of its posts, so that they cause no warnings.
  expect(found(platform, content, false, {})).toEqual([]);
});

test('media with unknown details may be a video', () => {
  const options = { is_ai_generated: true, disable_duet: true, auto_add_music: true };
  for (const platform of ['facebook', 'tiktok'] as const) {
    const rules = platformRules[platform];
    const context = { hasMedia: true, isOwnLink: false, ownCovers: [], ownOptions: options };
    expect(rules && checkUnsent(rules, aContent({ options }), context)).toEqual([]);
  }
});

const numberIn = (caption: string) => found('google_business', { caption }, false);

test.each([
  'Call +43 1 234 56 78 now',
  'Call +14155550132!',
  '0043 660 1234567',
  'Tel.: 01/234 56 78',
  '(0660) 123-4567',
  '030 12345678.',
  'Call (415) 555-0132',
  '415-555-0132',
  '415.555.0132 or drop by',
])('Google may reject %j for its phone number', (caption) => {
  expect(numberIn(caption)).toEqual(['caption discouraged']);
});

test.each([
  'Open 24.12.2026 from 09:00 to 17:00',
  'On 01.12.2026 and 2026-12-01',
  '12/24/2026',
  '09:00-17:00, 08.00-12.30',
  'Only 1 000 000 left, 3.999,00 EUR, 1,234,567 sold',
  'Since 1985: 120 years, 3 shops, 45 breads',
  'See https://shop.example/p/415-555-0132 for 10% off',
  'ISO 9001, EN 13432, order 4711-0815',
  'Code BREAD-2026-1234',
])('%j has no phone number', (caption) => {
  expect(numberIn(caption)).toEqual([]);
});

test("TikTok's drafts warn that the caption of a video is not sent", () => {
  expect(found('tiktok', { media: [aReel()], options: { post_mode: 'draft' } }, false)).toEqual(['caption ignored']);
  expect(found('tiktok', { media: [aReel()], options: { post_mode: 'direct' } }, false)).toEqual([]);
});

test.each<[Platform, string, Partial<Content>, boolean]>([
  ['facebook', 'a text', {}, false],
  ['facebook', 'an image', { media: [anImage()] }, false],
  ['facebook', 'a video', { media: [aVideo()] }, true],
  ['google_business', 'an update', {}, false],
  ['google_business', 'an event', { options: { topic_type: 'EVENT', event: { start_date: '2026-12-01', end_date: '2026-12-02' } } }, true],
  ['instagram', 'a reel', { media: [aReel()] }, false],
  ['linkedin', 'a text', {}, false],
  ['linkedin', 'a card', { link, options: { article: true } }, true],
  ['linkedin', 'an image', { media: [anImage()] }, true],
  ['linkedin', 'two images', { media: [anImage(), anImage()] }, false],
  ['pinterest', 'a pin', { media: [anImage()] }, true],
  ['tiktok', 'photos', { media: [anImage()] }, true],
  ['tiktok', 'a video', { media: [aReel()] }, false],
  ['x', 'a text', {}, false],
  ['youtube', 'a video', { media: [aVideo()] }, true],
])('%s shows a title with %s, or warns that it does not', (platform, _what, content, isShown) => {
  expect(found(platform, { ...content, title: 'Ours' }, false)).toEqual(isShown ? [] : ['title ignored']);
});

test.each<[Platform, readonly CoverField[]]>([
  ['facebook', ['video_cover_timestamp_ms']],
  ['instagram', ['video_cover_timestamp_ms']],
  ['linkedin', ['cover_media_id', 'video_cover_timestamp_ms']],
  ['pinterest', ['video_cover_timestamp_ms']],
  ['tiktok', ['cover_media_id']],
  ['x', ['cover_media_id', 'video_cover_timestamp_ms']],
  ['youtube', ['cover_media_id', 'video_cover_timestamp_ms']],
])('%s warns about covers of a video that it does not support: %j', (platform, unused) => {
  const both = ['cover_media_id', 'video_cover_timestamp_ms'] as const;
  expect(found(platform, { media: [aReel()] }, false, {}, both)).toEqual(unused.map((field) => `${field} ignored`));
  expect(found(platform, { media: [aReel()] }, false)).toEqual([]);
  expect(found(platform, { media: [anImage()] }, false, {}, both)).toEqual([]);
});
