import { aContent, anImage, aReel, aVideo } from '../../test/a-content.ts';
import { checkContent } from './check-content.ts';
import type { Content } from '../connector.ts';
import { connectors } from '../registry.ts';

type Name = keyof typeof connectors;

test.each<[string, Name, Partial<Content>]>([
  ['a text of 63,206 characters', 'facebook', { caption: 'a'.repeat(63_206) }],
  ['a link alone', 'facebook', { caption: '', link: 'https://example.com' }],
  ['ten photos', 'facebook', { media: Array.from({ length: 10 }, () => anImage()) }],
  ['images and videos', 'instagram', { media: [anImage(), aReel()] }],
  ['photos with a long description', 'tiktok', { caption: 'a'.repeat(4_000), title: 'a'.repeat(90), media: [anImage()] }],
  ['a video with a long caption', 'tiktok', { caption: 'a'.repeat(2_200), media: [aReel()] }],
  ['a text of 3,000 characters', 'linkedin', { caption: 'a'.repeat(3_000) }],
  ['a text of 3,000 characters, all of which are escaped', 'linkedin', { caption: '('.repeat(3_000) }],
  ['a mention of which only the name is read', 'linkedin', { caption: `${'a'.repeat(2_996)}@[Acme](urn:li:organization:123456)` }],
  ['twenty images', 'linkedin', { media: Array.from({ length: 20 }, () => anImage({ mimeType: 'image/png' })) }],
  ['a text of 280', 'x', { caption: 'a'.repeat(280) }],
  ['a long link, which counts 23', 'x', { caption: `${'a'.repeat(256)} https://example.com/${'b'.repeat(200)}` }],
  ['an image alone', 'x', { caption: '', media: [anImage()] }],
  ['an animation of 350 frames', 'x', { media: [anImage({ mimeType: 'image/gif', frames: 350 })] }],
  ['a video of 23.976 frames per second', 'tiktok', { media: [aReel({ frameRate: 23.976 })] }],
  ['a video with a title alone', 'youtube', { caption: '', title: 'Ours', media: [aVideo()] }],
  ['a video with the longest title and description', 'youtube', { caption: 'é'.repeat(2_500), title: '😀'.repeat(100), media: [aVideo()] }],
])('there is no finding for %s on %s', (_what, name, content) => {
  expect(checkContent(connectors[name], aContent(content))).toEqual([]);
});

test.each<[string, Name, Partial<Content>, object]>([
  ['a text too long', 'facebook', { caption: 'a'.repeat(63_207) }, { rule: 'max_length', field: 'caption', limit: 63_206, value: 63_207 }],
  ['a text too heavy', 'x', { caption: '語'.repeat(141) }, { rule: 'max_length', field: 'caption', limit: 280, value: 282 }],
  [
    'a first comment too long',
    'x',
    { firstComment: 'a'.repeat(281) },
    { rule: 'max_length', field: 'first_comment', limit: 280, value: 281 },
  ],
  [
    'a text that is too long as the platform counts it',
    'linkedin',
    { caption: `${'a'.repeat(2_996)}@[Acme!](urn:li:organization:1)` },
    { rule: 'max_length', field: 'caption', limit: 3_000, value: 3_001 },
  ],
  ['an image too large', 'linkedin', { media: [anImage({ width: 7_000, height: 6_000 })] }, { rule: 'pixels', limit: 36_152_319 }],
  ['a video too small', 'linkedin', { media: [aVideo({ sizeBytes: 74_999 })] }, { rule: 'min_bytes', field: 'media.0', limit: 75_000 }],
  ['two cashtags', 'x', { caption: '$AAA $BBB' }, { rule: 'max_cashtags', field: 'caption', limit: 1, value: 2 }],
  [
    '31 hashtags',
    'instagram',
    { caption: '#a '.repeat(31), media: [anImage()] },
    { rule: 'max_hashtags', field: 'caption', limit: 30, value: 31 },
  ],
  [
    '21 mentions',
    'instagram',
    { caption: '@a.b '.repeat(21), media: [anImage()] },
    { rule: 'max_mentions', field: 'caption', limit: 20, value: 21 },
  ],
  ['no media', 'instagram', {}, { rule: 'required', field: 'media' }],
  ['nothing at all', 'x', { caption: ' ' }, { rule: 'required', field: 'caption' }],
  ['five images', 'x', { media: Array.from({ length: 5 }, () => anImage()) }, { rule: 'max_count', field: 'media', limit: 4, value: 5 }],
  ['an image and a video', 'facebook', { media: [anImage(), aVideo()] }, { rule: 'mixed_media', field: 'media' }],
  [
    'an animated image together with another image',
    'x',
    { media: [anImage({ mimeType: 'image/gif' }), anImage()] },
    { rule: 'mixed_media' },
  ],
  [
    'a PNG',
    'instagram',
    { media: [anImage(), anImage({ mimeType: 'image/png' })] },
    { rule: 'mime_type', field: 'media.1', value: 'image/png' },
  ],
  ['a heavy image', 'x', { media: [anImage({ sizeBytes: 5_000_001 })] }, { rule: 'max_bytes', field: 'media.0', limit: 5_000_000 }],
  ['a tall image', 'instagram', { media: [anImage({ width: 700, height: 1_000 })] }, { rule: 'ratio', limit: 0.8, value: 0.7 }],
  ['a wide image', 'instagram', { media: [anImage({ width: 2_000, height: 1_000 })] }, { rule: 'ratio', limit: 1.91, value: 2 }],
  [
    'a long video',
    'x',
    { media: [aVideo({ durationMs: 140_001, width: 1_280, height: 720 })] },
    { rule: 'duration', limit: 140_000, value: 140_001 },
  ],
  ['a wide video', 'x', { media: [aVideo({ width: 2_000, height: 1_000 })] }, { rule: 'pixels', limit: 1_920, value: 2_000 }],
  ['a large upright video', 'x', { media: [aReel({ width: 1_201, height: 1_920 })] }, { rule: 'pixels', limit: 1_200, value: 1_201 }],
  ['a short video', 'instagram', { media: [aReel({ durationMs: 2_999 })] }, { rule: 'duration', limit: 3_000, value: 2_999 }],
  ['a caption too long for a video', 'tiktok', { caption: 'a'.repeat(2_201), media: [aReel()] }, { rule: 'max_length', limit: 2_200 }],
  ['a long title', 'tiktok', { title: 'a'.repeat(91), media: [anImage()] }, { rule: 'max_length', field: 'title', limit: 90 }],
  ['a large photo', 'tiktok', { media: [anImage({ width: 2_000, height: 1_100 })] }, { rule: 'pixels', limit: 2_073_600 }],
  ['a small video', 'tiktok', { media: [aReel({ width: 358, height: 640 })] }, { rule: 'pixels', limit: 360, value: 358 }],
  ['a huge video', 'tiktok', { media: [aReel({ width: 2_400, height: 4_098 })] }, { rule: 'pixels', limit: 4_096, value: 4_098 }],
  [
    'a description too long in bytes',
    'youtube',
    { caption: 'é'.repeat(2_501), media: [aVideo()] },
    { rule: 'max_length', limit: 5_000, value: 5_002 },
  ],
  ['a title too long', 'youtube', { title: 'a'.repeat(101), media: [aVideo()] }, { rule: 'max_length', field: 'title', value: 101 }],
  [
    'an angle bracket',
    'youtube',
    { caption: 'I <3 it', media: [aVideo()] },
    { rule: 'forbidden', field: 'caption', limit: '< >', value: '<' },
  ],
  ['angle brackets in the title', 'youtube', { title: '<b>', media: [aVideo()] }, { rule: 'forbidden', field: 'title', value: '< >' }],
  ['a video without a word', 'youtube', { caption: ' ', media: [aVideo()] }, { rule: 'required', field: 'title' }],
  [
    'an image on a platform that accepts only videos',
    'youtube',
    { media: [anImage()] },
    { rule: 'max_count', field: 'media', limit: 0, value: 1 },
  ],
  [
    'an animation with too many frames',
    'x',
    { media: [anImage({ mimeType: 'image/gif', frames: 351 })] },
    { rule: 'frames', limit: 350, value: 351 },
  ],
  [
    'an animation too long for LinkedIn',
    'linkedin',
    { media: [anImage({ mimeType: 'image/gif', frames: 251 })] },
    { rule: 'frames', limit: 250 },
  ],
  [
    'an image too long',
    'google_business',
    { media: [anImage({ width: 10_001, height: 400, sizeBytes: 20_000 })] },
    { rule: 'pixels', field: 'media.0', limit: 10_000, value: 10_001 },
  ],
  ['a jerky video', 'tiktok', { media: [aReel({ frameRate: 15 })] }, { rule: 'frame_rate', field: 'media.0', limit: 23, value: 15 }],
  ['a video too fast', 'instagram', { media: [aReel({ frameRate: 120 })] }, { rule: 'frame_rate', limit: 60, value: 120 }],
  [
    'a long alt text',
    'x',
    { media: [anImage({ altText: 'a'.repeat(1_001) })] },
    { rule: 'max_length', field: 'media.0', part: 'alt_text', limit: 1_000 },
  ],
  [
    'a long alt text of a video, if alt texts of videos are sent',
    'pinterest',
    { media: [aReel({ altText: 'a'.repeat(501) })] },
    { rule: 'max_length', field: 'media.0', part: 'alt_text', limit: 500 },
  ],
])('%s is found on %s', (_what, name, content, finding) => {
  expect(checkContent(connectors[name], aContent(content))).toEqual([expect.objectContaining(finding)]);
});

test('a GIF may be larger than a still image on X', () => {
  expect(checkContent(connectors.x, aContent({ media: [anImage({ mimeType: 'image/gif', sizeBytes: 14_000_000 })] }))).toEqual([]);
});
