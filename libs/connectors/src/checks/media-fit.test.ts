import { aContent, anImage, aVideo } from '../../test/a-content.ts';
import { checkContent } from './check-content.ts';
import type { ContentMedia } from '../connector.ts';
import { asConverted, conversionFor } from './conversion.ts';
import { limitsFor } from '../limits.ts';
import { connectors } from '../registry.ts';

const { instagram, facebook, x } = connectors;
const pad = { media_fit: 'pad' };
const wide = anImage({ width: 3_000, height: 1_000 });

test.each([
  ['an image too wide', instagram, wide, pad, { mimeType: 'image/jpeg', maxRatio: 1.91, background: '#ffffff' }],
  ['an image too tall', instagram, anImage({ width: 900, height: 1_600 }), pad, { mimeType: 'image/jpeg', minRatio: 0.8 }],
  ['an image with a chosen color', instagram, wide, { ...pad, pad_color: '#C8562B' }, { background: '#c8562b' }],
  [
    'a video too wide',
    x,
    aVideo({ width: 1_280, height: 300 }),
    pad,
    { mimeType: 'video/mp4', maxRatio: 3, maxWidth: 1_920, maxHeight: 1_200 },
  ],
  ['a video for a reel', facebook, aVideo(), { ...pad, kind: 'reel' }, { mimeType: 'video/mp4', background: '#ffffff' }],
] as const)('%s is padded if padding is chosen', (_what, { limits }, media, options, conversion) => {
  expect(conversionFor(limits, media, options)).toMatchObject(conversion);
});

test.each([
  ['media_fit is absent', instagram, wide, {}],
  ['media_fit is refuse', instagram, wide, { media_fit: 'refuse' }],
  ['the ratio is accepted', instagram, anImage(), pad],
  ['it moves', instagram, anImage({ width: 3_000, height: 1_000, mimeType: 'image/gif' }), pad],
  ['the kind of post takes any ratio', instagram, wide, { ...pad, kind: 'story' }],
  ['the platform takes any ratio', facebook, wide, pad],
] as const)('an image is not padded if %s', (_what, { limits }, media, options) => {
  expect(conversionFor(limits, media, options)).toBeUndefined();
});

test('every platform accepts padded images of any size', () => {
  for (const { limits, check } of Object.values(connectors)) {
    for (const options of [pad, { ...pad, kind: 'reel' }]) {
      const { images, videos } = limitsFor(limits, options);
      for (const [width, height] of [
        [3_000, 1_000],
        [1_001, 3_337],
        [641, 7_013],
        [1_280, 97],
      ] as const) {
        const media: ContentMedia[] = [
          ...(images.maxRatio ? [anImage({ width, height })] : []),
          ...(videos.maxRatio ? [aVideo({ width, height })] : []),
        ];
        for (const one of media) {
          const sent = asConverted(limits, one, options) as ContentMedia;
          const found = checkContent({ limits, check }, aContent({ title: 'Ours', media: [sent], options }));
          expect(found.filter(({ rule }) => rule === 'ratio')).toEqual([]);
        }
      }
    }
  }
});
