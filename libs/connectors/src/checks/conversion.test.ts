import { aContent, anImage, aReel, aVideo } from '../../test/a-content.ts';
import { checkContent } from './check-content.ts';
import { checkConversions } from './check-conversions.ts';
import type { ContentMedia } from '../connector.ts';
import { asConverted, conversionFor } from './conversion.ts';
import { connectors } from '../registry.ts';

const limitsOf = (platform: 'facebook' | 'google_business' | 'instagram' | 'x') => connectors[platform].limits;
const PHOTO = { width: 1_080, height: 1_080 };

test.each<[string, 'facebook' | 'google_business' | 'instagram' | 'x', ContentMedia, object | undefined]>([
  ['an accepted image', 'instagram', anImage(), undefined],
  ['a PNG becomes a JPEG', 'instagram', anImage({ mimeType: 'image/png' }), { mimeType: 'image/jpeg' }],
  ['a WebP becomes a JPEG', 'facebook', anImage({ mimeType: 'image/webp' }), { mimeType: 'image/jpeg' }],
  ['a large image gets smaller', 'x', anImage({ sizeBytes: 9_000_000 }), { mimeType: 'image/jpeg', maxBytes: 5_000_000 }],
  [
    'a panorama is made shorter',
    'google_business',
    anImage({ width: 12_000, height: 3_000, sizeBytes: 20_000 }),
    { mimeType: 'image/jpeg', maxWidth: 10_000, maxHeight: 10_000 },
  ],
  ['a WebM becomes an MP4', 'x', aVideo({ mimeType: 'video/webm' }), { mimeType: 'video/mp4' }],
  [
    'a heavy video gets as many bits as fit',
    'x',
    aVideo({ sizeBytes: 900_000_000, durationMs: 100_000 }),
    { mimeType: 'video/mp4', maxBitRate: 36_864_000 },
  ],
  ['a video too fast is slowed', 'x', aVideo({ width: 1_280, height: 720, frameRate: 120 }), { mimeType: 'video/mp4', maxFrameRate: 60 }],
  ['a video stands upright', 'x', aVideo({ width: 720, height: 1_280 }), undefined],
  ['a large video stands upright', 'x', aVideo({ width: 1_080, height: 1_920 }), undefined],
  ['a wide video', 'x', aVideo({ width: 1_920, height: 1_080 }), undefined],
  ['a video too tall', 'x', aVideo({ width: 2_160, height: 3_840 }), { mimeType: 'video/mp4', maxWidth: 1_200, maxHeight: 1_920 }],
  ['a video too wide', 'x', aVideo({ width: 3_840, height: 2_160 }), { mimeType: 'video/mp4', maxWidth: 1_920, maxHeight: 1_200 }],
  ['an animated image stays', 'instagram', anImage({ mimeType: 'image/gif' }), undefined],
  ['a video that would be a blur stays', 'x', aVideo({ sizeBytes: 900_000_000, durationMs: 9_000_000 }), undefined],
])('%s on %s', (_what, platform, media, conversion) => {
  const found = conversionFor(limitsOf(platform), media);
  if (conversion) expect(found).toMatchObject(conversion);
  else expect(found).toBeUndefined();
});

test.each(['facebook', 'instagram', 'x'] as const)('%s accepts the results of its conversions', (platform) => {
  const limits = limitsOf(platform);
  const wrong = [
    anImage({ ...PHOTO, mimeType: 'image/webp', sizeBytes: 40_000_000 }),
    anImage({ ...PHOTO, mimeType: 'image/png', sizeBytes: 40_000_000 }),
    aVideo({ width: 1_080, height: 1_920, mimeType: 'video/webm' }),
    aVideo({ width: 1_080, height: 1_920, frameRate: 120 }),
    anImage({ ...PHOTO, mimeType: 'image/avif', frames: 400 }),
  ];
  for (const media of wrong)
    expect(checkContent({ limits }, aContent({ media: [asConverted(limits, media) as ContentMedia] }))).toEqual([]);
});

test('a vertical video of any common size is sent unchanged on every platform that accepts such videos', () => {
  for (const [name, { limits }] of Object.entries(connectors)) {
    if (limits.videos.max === 0) continue;
    const converted = [aReel({ width: 720, height: 1_280 }), aReel()].map((video) => conversionFor(limits, video));
    expect([name, ...converted]).toEqual([name, undefined, undefined]);
  }
});

test.each<[string, 'facebook' | 'instagram' | 'x', ContentMedia, boolean]>([
  ['fewer pixels', 'x', aVideo({ width: 3_840, height: 2_160 }), true],
  ['fewer bytes', 'x', anImage({ sizeBytes: 9_000_000 }), true],
  ['fewer frames a second', 'x', aVideo({ frameRate: 120 }), true],
  ['a still of what moves', 'instagram', anImage({ mimeType: 'image/webp', frames: 12 }), true],
  ['another type', 'instagram', anImage({ mimeType: 'image/png' }), false],
])('a conversion to %s says whether quality is lost', (_what, platform, media, losesQuality) => {
  expect(checkConversions({ limits: limitsOf(platform) }, aContent({ media: [anImage(), media] }))).toMatchObject([
    { rule: 'converted', field: 'media.1', losesQuality },
  ]);
});
