import type { CheckedMedia } from '@fanfare/connectors/preflight';
import { CreatePostRequest, type PatchOperation } from '@fanfare/contracts/content';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { patchOf } from './fix-overrides.ts';
import { platformFindings } from './platform-findings.ts';

type Override = { platform: string; caption?: string; options?: Record<string, unknown> };
interface Body {
  caption: string;
  link?: string;
  platform_overrides?: Override[];
}

const wide: CheckedMedia = { type: 'image', mimeType: 'image/jpeg', sizeBytes: 1_000, width: 3_000, height: 1_000, altText: '' };

function check({ caption, link, platform_overrides = [] }: Body, platforms: string[], media: CheckedMedia[]) {
  const request = CreatePostRequest.fromPartial({
    caption,
    ...(link !== undefined && { link }),
    platformOverrides: platform_overrides.map((override) => ({ override })),
    mediaIds: media.map(() => 'm'),
  });
  const { findings, changes } = platformFindings(request, platforms, media);
  return { errors: findings.filter(({ severity }) => severity === 'FINDING_SEVERITY_ERROR'), fix: patchOf(request, changes) };
}

function patched(body: Body, fix: readonly PatchOperation[]): Body {
  const copy = structuredClone(body);
  expect(applyPatch(copy, fix as Parameters<typeof applyPatch>[1])).toEqual(fix.map(() => null));
  return copy;
}

test.each<[string, Override[] | undefined, Override[]]>([
  ['without overrides', undefined, [{ platform: 'instagram', options: { media_fit: 'pad' } }]],
  [
    'with an override of another platform',
    [{ platform: 'x', caption: 'a' }],
    [
      { platform: 'x', caption: 'a' },
      { platform: 'instagram', options: { media_fit: 'pad' } },
    ],
  ],
  [
    'with an override without options',
    [{ platform: 'instagram', caption: 'a' }],
    [{ platform: 'instagram', caption: 'a', options: { media_fit: 'pad' } }],
  ],
  [
    'with options that stay',
    [{ platform: 'instagram', options: { media_fit: 'refuse', location_id: '7' } }],
    [{ platform: 'instagram', options: { media_fit: 'pad', location_id: '7' } }],
  ],
])('an image that is too wide is padded by the patch of a post %s', (_what, platform_overrides, expected) => {
  const body = { caption: 'Bread', ...(platform_overrides && { platform_overrides }) };
  const { errors, fix } = check(body, ['instagram', 'x'], [wide]);
  expect(errors.map(({ ruleId, platform, field }) => [ruleId, platform, field])).toEqual([['media_ratio', 'instagram', 'media_ids.0']]);
  const fixed = patched(body, fix);
  expect(fixed.platform_overrides).toEqual(expected);
  expect(patched(body, errors[0]?.fix ?? [])).toEqual(fixed);
  expect(check(fixed, ['instagram', 'x'], [wide]).errors).toEqual([]);
});

test('a problem that padding does not solve has no fix', () => {
  const { errors, fix } = check({ caption: 'Bread' }, ['instagram'], [{ ...wide, mimeType: 'image/gif' }]);
  expect(errors.map(({ ruleId }) => ruleId)).toContain('media_ratio');
  expect(fix).toEqual([]);
});

test('a text is cut so that the link behind it fits, whatever the text', () => {
  const link = 'https://example.com/bread';
  const platform_overrides = [{ platform: 'x', options: { append_link: true } }];
  const word = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constant(link));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 80 }), (words) => {
      const body = { caption: words.join(' '), link, platform_overrides };
      const fixed = patched(body, check(body, ['x'], []).fix);
      expect(check(fixed, ['x'], []).errors.filter(({ ruleId }) => ruleId === 'caption_max_length')).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
