import { aContent, anImage, aReel, aVideo } from '../test/a-content.ts';
import { checkContent } from './checks/check-content.ts';
import type { Content } from './connector.ts';
import { connectors } from './registry.ts';

type Name = keyof typeof connectors;
const found = (name: Name, content: Partial<Content>) =>
  checkContent(connectors[name], aContent(content)).map(({ rule, field }) => `${field} ${rule}`);
const link = 'https://example.com/a';
const branded = { privacy_level: 'SELF_ONLY', disclose_branded_content: true };
const event = { title: 'Open day', start_date: '2026-12-01', start_time: '09:00', end_date: '2026-12-01', end_time: '17:30' };
const poll = { question: 'Which bread?', options: ['Rye', 'Wheat'] };

test.each<[string, Name, Partial<Content>, string[]]>([
  [
    'a story with a comment',
    'instagram',
    { media: [anImage()], firstComment: 'a', options: { kind: 'story' } },
    ['first_comment unsupported'],
  ],
  [
    'a story with people and a place',
    'instagram',
    { media: [anImage()], options: { kind: 'story', collaborators: ['a'], user_tags: [{ username: 'a' }], location_id: '1' } },
    ['options.collaborators unsupported', 'options.location_id unsupported'],
  ],
  [
    'a story with a user tag that has only one coordinate',
    'instagram',
    { media: [anImage()], options: { kind: 'story', user_tags: [{ username: 'a', x: 0 }] } },
    ['options.user_tags.0 unsupported'],
  ],
  ['a reel of 15 frames a second', 'facebook', { media: [aReel({ frameRate: 15 })], options: { kind: 'reel' } }, ['media.0 frame_rate']],
  ['two stories in one', 'instagram', { media: [anImage(), anImage()], options: { kind: 'story' } }, ['media max_count']],
  ['a long story', 'instagram', { media: [aReel({ durationMs: 60_001 })], options: { kind: 'story' } }, ['media.0 duration']],
  ['a heavy story', 'instagram', { media: [aReel({ sizeBytes: 100_000_001 })], options: { kind: 'story' } }, ['media.0 max_bytes']],
  [
    'an image with the audio of a reel',
    'instagram',
    { media: [anImage()], options: { audio_name: 'a' } },
    ['options.audio_name unsupported'],
  ],
  [
    'a frame after the end',
    'instagram',
    { media: [aReel({ durationMs: 5_000 })], options: { thumb_offset: 5_001 } },
    ['options.thumb_offset unsupported'],
  ],
  [
    'a tag without a place',
    'instagram',
    { media: [anImage()], options: { user_tags: [{ username: 'a' }] } },
    ['options.user_tags.0 unsupported'],
  ],
  [
    'a tag in a reel with a place',
    'instagram',
    { media: [aReel()], options: { user_tags: [{ username: 'a', x: 0, y: 0 }] } },
    ['options.user_tags.0 unsupported'],
  ],
  [
    'a tag in an image that does not exist',
    'instagram',
    { media: [anImage()], options: { user_tags: [{ username: 'a', x: 0, y: 0, media_index: 1 }] } },
    ['options.user_tags.0 unsupported'],
  ],
  [
    'a tag too many',
    'instagram',
    { media: [anImage()], options: { user_tags: Array.from({ length: 21 }, () => ({ username: 'a', x: 0, y: 0 })) } },
    ['options.user_tags.20 unsupported'],
  ],
  ['a wide video as a reel', 'facebook', { media: [aVideo()], options: { kind: 'reel' } }, ['media.0 ratio']],
  ['a long video as a reel', 'facebook', { media: [aReel({ durationMs: 90_001 })], options: { kind: 'reel' } }, ['media.0 duration']],
  ['a small video as a reel', 'facebook', { media: [aReel({ width: 450, height: 800 })], options: { kind: 'reel' } }, ['media.0 pixels']],
  [
    'a label on a video that is no reel',
    'facebook',
    { media: [aVideo()], options: { is_ai_generated: true } },
    ['options.is_ai_generated unsupported'],
  ],
  [
    'a label on a video that could be a reel',
    'facebook',
    { media: [aReel()], options: { is_ai_generated: true, kind: 'video' } },
    ['options.is_ai_generated unsupported'],
  ],
  [
    'a cover after the end',
    'tiktok',
    { media: [aReel({ durationMs: 5_000 })], videoCoverTimestampMs: 5_001 },
    ['video_cover_timestamp_ms unsupported'],
  ],
  ['a comment too long', 'instagram', { media: [anImage()], firstComment: 'a'.repeat(2_201) }, ['first_comment max_length']],
  ['a link to Facebook itself', 'facebook', { link: 'https://www.facebook.com/acme' }, ['link unsupported']],
  [
    'a poll with an image',
    'x',
    { media: [anImage()], options: { poll: { options: ['a', 'b'], duration_minutes: 5 } } },
    ['options.poll unsupported'],
  ],
  [
    'a poll without a text',
    'x',
    { caption: '', link, options: { append_link: true, poll: { options: ['a', 'b'], duration_minutes: 5 } } },
    ['options.poll unsupported'],
  ],
  ['a LinkedIn poll with an image', 'linkedin', { media: [anImage()], options: { poll } }, ['options.poll unsupported']],
  ["a poll beside a link's card", 'linkedin', { link, options: { poll, article: true } }, ['options.poll unsupported']],
  ['a poll without a text', 'linkedin', { caption: '', options: { poll } }, ['caption required']],
  ['a link alone that is no card', 'linkedin', { caption: '', link }, ['caption required']],
  ['a card with too long a title', 'linkedin', { link, title: 'a'.repeat(201), options: { article: true } }, ['title max_length']],
  ['a text with no room for the link', 'x', { caption: 'a'.repeat(257), link, options: { append_link: true } }, ['caption max_length']],
  ['a link alone that is not sent', 'x', { caption: '', link }, ['caption required']],
  [
    'branded content that is visible only to oneself',
    'tiktok',
    { media: [aReel()], options: branded },
    ['options.disclose_branded_content unsupported'],
  ],
  [
    'branded photos that are visible only to oneself',
    'tiktok',
    { media: [anImage()], options: branded },
    ['options.disclose_branded_content unsupported'],
  ],
  ['a text alone on Google', 'google_business', { caption: '', options: { topic_type: 'STANDARD' } }, ['caption required']],
  ['a category that was never there', 'youtube', { media: [aVideo()], options: { category_id: '99' } }, ['options.category_id invalid']],
  ['a category of old', 'youtube', { media: [aVideo()], options: { category_id: '21' } }, ['options.category_id invalid']],
  ['a GIF too large', 'x', { media: [anImage({ mimeType: 'image/gif', width: 1_281 })] }, ['media.0 pixels']],
])('%s is found on %s', (_what, name, content, expected) => {
  expect(found(name, content)).toEqual(expected);
});

test.each<[string, Name, Partial<Content>]>([
  ['a story with people', 'instagram', { media: [anImage()], options: { kind: 'story', user_tags: [{ username: 'a' }] } }],
  [
    'a video story with a positioned user tag',
    'instagram',
    { media: [aReel()], options: { kind: 'story', user_tags: [{ username: 'a', x: 0, y: 1 }] } },
  ],
  ['a reel with a description, which is not sent, of any length', 'instagram', { media: [aReel({ altText: 'a'.repeat(1_001) })] }],
  ['a video with one', 'x', { media: [aReel({ altText: 'a'.repeat(1_001) })] }],
  ['an upright story', 'instagram', { media: [anImage({ height: 1_920 })], options: { kind: 'story' } }],
  ['a video of a minute as a story', 'instagram', { media: [aReel({ durationMs: 60_000 })], options: { kind: 'story' } }],
  ["a reel's setting with an image", 'instagram', { media: [anImage()], options: { share_to_feed: false } }],
  ['a label on a reel', 'facebook', { media: [aReel()], options: { is_ai_generated: true } }],
  ['a label that a video of the page does without', 'facebook', { media: [aVideo()], options: { is_ai_generated: false } }],
  ['a cover at the end', 'tiktok', { media: [aReel({ durationMs: 5_000 })], videoCoverTimestampMs: 5_000 }],
  ['a comment that just fits', 'instagram', { media: [anImage()], firstComment: 'a'.repeat(2_200) }],
  ['the kind of a video with an image', 'facebook', { media: [anImage()], options: { kind: 'reel' } }],
  ['a text with just the room for the link', 'x', { caption: 'a'.repeat(256), link, options: { append_link: true } }],
  ['a link alone that is a card', 'linkedin', { caption: '', link, options: { article: true } }],
  ['a poll beside a link that is for other platforms', 'linkedin', { link, options: { poll } }],
  ['a card in the settings of an account', 'linkedin', { media: [anImage()], link, options: { article: true } }],
  ['branded content for friends', 'tiktok', { media: [aReel()], options: { ...branded, privacy_level: 'MUTUAL_FOLLOW_FRIENDS' } }],
  [
    "the account's own brand, visible only to oneself",
    'tiktok',
    { media: [aReel()], options: { privacy_level: 'SELF_ONLY', disclose_own_brand: true } },
  ],
  ['a draft that its owner says all of', 'tiktok', { media: [aReel()], options: { ...branded, post_mode: 'draft' } }],
  ['a category that some countries lack', 'youtube', { media: [aVideo()], options: { category_id: '29' } }],
  ['an event without a text', 'google_business', { caption: '', options: { topic_type: 'EVENT', event } }],
  ['an offer without a text', 'google_business', { caption: '', options: { topic_type: 'OFFER', event, offer: {} } }],
  ['a link alone that is sent', 'x', { caption: '', link, options: { append_link: true } }],
  ['a long text of a subscriber', 'x', { caption: 'a'.repeat(4_000), options: { premium: true } }],
  [
    'a long video of a subscriber',
    'x',
    { media: [aVideo({ width: 1_280, height: 720, durationMs: 600_000 })], options: { premium: true } },
  ],
])('there is no finding for %s on %s', (_what, name, content) => {
  expect(found(name, content)).toEqual([]);
});
