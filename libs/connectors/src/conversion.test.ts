import { aContent, anImage, aVideo } from '../test/a-content.ts';
import { checkContent } from './check-content.ts';
import type { ContentMedia } from './connector.ts';
import { asConverted, conversionFor } from './conversion.ts';
import { connectors } from './registry.ts';

const limitsOf = (platform: 'facebook' | 'google_business' | 'instagram' | 'x') => connectors[platform].limits;
const PHOTO = { width: 1_080, height: 1_080 };

test.each<[string, 'facebook' | 'google_business' | 'instagram' | 'x', ContentMedia, object | undefined]>([
  ['what is taken as it is', 'instagram', anImage(), undefined],
  ['a PNG becomes a JPEG', 'instagram', anImage({ mimeType: 'image/png' }), { mimeType: 'image/jpeg' }],
  ['a WebP becomes a JPEG', 'facebook', anImage({ mimeType: 'image/webp' }), { mimeType: 'image/jpeg' }],
  ['a heavy picture becomes lighter', 'x', anImage({ sizeBytes: 9_000_000 }), { mimeType: 'image/jpeg', maxBytes: 5_000_000 }],
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
  ['a moving picture stays', 'instagram', anImage({ mimeType: 'image/gif' }), undefined],
  ['a video that would be a blur stays', 'x', aVideo({ sizeBytes: 900_000_000, durationMs: 9_000_000 }), undefined],
])('%s on %s', (_what, platform, media, conversion) => {
  const found = conversionFor(limitsOf(platform), media);
  if (conversion) expect(found).toMatchObject(conversion);
  else expect(found).toBeUndefined();
});

test.each(['facebook', 'instagram', 'x'] as const)('what is converted for %s is taken by it', (platform) => {
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
