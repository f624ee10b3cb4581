import { platformRules, type CheckedMedia } from '@fanfare/connectors/preflight';
import { CreatePostRequest, type PatchOperation } from '@fanfare/contracts/content';
import fc from 'fast-check';
import { applyPatch } from 'rfc6902';
import { patchOf } from './fix-overrides.ts';
import { platformFindings } from './platform-findings.ts';

/** The fields of a request that findings can name. */
interface Body {
  caption: string;
  link?: string;
  platform_overrides?: {
    platform: string;
    caption?: string;
    title?: string;
    link?: string;
    first_comment?: string;
    media_urls?: string[];
  }[];
}

const requestOf = ({ caption, link, platform_overrides = [] }: Body) =>
  CreatePostRequest.fromPartial({
    caption,
    ...(link !== undefined && { link }),
    platformOverrides: platform_overrides.map(({ first_comment: firstComment, media_urls: urls, ...override }) => ({
      override: { ...override, ...(firstComment !== undefined && { firstComment }) },
      ...(urls && { mediaUrls: { urls } }),
    })),
  });
const image: CheckedMedia = { type: 'image', mimeType: 'image/jpeg', sizeBytes: 1_000, width: 1_080, height: 1_080, altText: '' };
const check = (body: Body, platforms: string[], media = [image]) => {
  const request = requestOf(body);
  const { findings, changes } = platformFindings({ ...request, mediaIds: media.map(() => 'm') }, platforms, media);
  return { findings, fix: patchOf(request, changes) };
};
const patched = (body: Body, fix: readonly PatchOperation[]): Body => {
  const copy = structuredClone(body);
  expect(applyPatch(copy, fix as Parameters<typeof applyPatch>[1])).toEqual(fix.map(() => null));
  return copy;
};

const PLATFORMS = ['facebook', 'instagram', 'x'];

test('a text that is too long for one platform is cut in the override of that platform', () => {
  const caption = 'Bread '.repeat(60);
  const { findings } = check({ caption }, PLATFORMS);
  expect(findings).toEqual([
    expect.objectContaining({
      ruleId: 'caption_max_length',
      severity: 'FINDING_SEVERITY_ERROR',
      platform: 'x',
      field: 'caption',
      limit: 280,
      value: 360,
      source: expect.stringMatching(/^https:/),
    }),
  ]);
  const [{ fix } = { fix: [] }] = findings;
  const body = patched({ caption }, fix);
  expect(body.caption).toBe(caption);
  expect(body.platform_overrides).toEqual([{ platform: 'x', caption: expect.stringMatching(/^(Bread )+Bread…$/) }]);
});

test('findings name the fields in the request', () => {
  const paths = (body: Body, media?: CheckedMedia[]) =>
    check(body, PLATFORMS, media).findings.map(({ platform, field }) => `${platform} ${field}`);
  expect(paths({ caption: '', platform_overrides: [{ platform: 'facebook' }, { platform: 'x', caption: 'a'.repeat(281) }] })).toEqual([
    'x platform_overrides.1.caption',
  ]);
  expect(paths({ caption: 'a', platform_overrides: [{ platform: 'x', first_comment: 'a'.repeat(281) }] })).toEqual([
    'x platform_overrides.0.first_comment',
  ]);
  expect(paths({ caption: 'a' }, [image, { ...image, width: 3_000 }])).toEqual(['instagram media_ids.1']);
  expect(
    paths({ caption: 'a', platform_overrides: [{ platform: 'x', media_urls: Array<string>(11).fill('https://a.example/1') }] }),
  ).toEqual(['x platform_overrides.0.media_urls']);
});

test('media that is converted before it is sent has a warning with the limit', () => {
  const { findings } = check({ caption: 'a' }, PLATFORMS, [{ ...image, mimeType: 'image/webp' }]);
  expect(findings[1]).toMatchObject({ limit: 'image/jpeg', value: 'image/webp', source: expect.stringMatching(/ig-user\/media$/) });
  expect(findings[1]?.detail).toBe(
    'It is converted to image/jpeg before it is sent. Reason: image/webp is not accepted. Accepted types: image/jpeg.',
  );
  const [heavy] = check({ caption: 'a' }, ['x'], [{ ...image, sizeBytes: 6_000_000 }]).findings;
  expect(heavy).toMatchObject({ ruleId: 'media_converted', limit: 5_000_000, value: 6_000_000 });
  expect(heavy?.detail).toContain('6000000 bytes; at most 5000000 are allowed.');
  expect(findings.map(({ ruleId, severity, platform, field }) => [ruleId, severity, platform, field])).toEqual([
    ['media_converted', 'FINDING_SEVERITY_WARNING', 'facebook', 'media_ids.0'],
    ['media_converted', 'FINDING_SEVERITY_WARNING', 'instagram', 'media_ids.0'],
  ]);
});

test('media that the library has not probed yet are not checked', () => {
  const request = CreatePostRequest.fromPartial({ caption: 'a', mediaUrls: ['https://a.example/1'] });
  expect(platformFindings(request, PLATFORMS, []).findings).toEqual([]);
});

test('a field that is not sent has a warning with its path', () => {
  const link = 'https://example.com/a';
  const platform_overrides = ['facebook', 'google_business', 'instagram', 'tiktok'].map((platform) => ({
    platform,
    link,
    first_comment: 'First!',
  }));
  const warnings = (body: Body) =>
    check(body, [...PLATFORMS, 'google_business', 'tiktok'])
      .findings.filter(({ severity }) => severity === 'FINDING_SEVERITY_WARNING')
      .map(({ ruleId, platform, field }) => `${ruleId} ${platform} ${field}`);
  expect(warnings({ caption: 'a', platform_overrides })).toEqual([
    'link_ignored facebook platform_overrides.0.link',
    'link_ignored instagram platform_overrides.2.link',
    'first_comment_unsupported google_business platform_overrides.1.first_comment',
    'first_comment_unsupported tiktok platform_overrides.3.first_comment',
    'link_ignored tiktok platform_overrides.3.link',
  ]);
  expect(warnings({ caption: 'a', link })).toEqual(['link_ignored facebook link']);
});

test('in a post for one platform only, all content is meant for that platform', () => {
  const video: CheckedMedia = { ...image, type: 'video', mimeType: 'video/mp4', height: 1_920, durationMs: 5_000 };
  const given = { caption: 'a', link: 'https://example.com/a', mediaIds: ['m'], coverMediaId: 'c', videoCoverTimestampMs: 1_000 };
  const fields = (platforms: string[], restriction: object) =>
    platformFindings(CreatePostRequest.fromPartial({ ...given, ...restriction }), platforms, [video])
      .findings.filter(({ severity }) => severity === 'FINDING_SEVERITY_WARNING')
      .map(({ ruleId, platform, field }) => `${ruleId} ${platform} ${field}`);
  const ignored = ['link_ignored instagram link', 'video_cover_timestamp_ms_ignored instagram video_cover_timestamp_ms'];
  expect(fields(['instagram'], { restrictPublishTo: ['instagram'] })).toEqual(ignored);
  expect(fields(['instagram', 'instagram'], { restrictPublishToIntegrationIds: ['a', 'b'] })).toEqual(ignored);
  expect(fields(['instagram', 'tiktok'], { restrictPublishTo: ['instagram', 'tiktok'] })).toEqual([]);
  // Only one platform is connected, but the post is not restricted to it.
  expect(fields(['instagram'], {})).toEqual([]);
});

test('a title that a platform does not show has a warning at its override', () => {
  const { findings } = check({ caption: 'a', platform_overrides: [{ platform: 'x', title: 'Ours' }] }, PLATFORMS);
  expect(findings.map(({ ruleId, severity, platform, field }) => [ruleId, severity, platform, field])).toEqual([
    ['title_ignored', 'FINDING_SEVERITY_WARNING', 'x', 'platform_overrides.0.title'],
  ]);
});

test('an option without effect has a warning if the post sets it, and none if the account does', () => {
  const options = { is_ai_generated: true };
  const findings = (override: object, settings: Record<string, unknown>) =>
    platformFindings(
      CreatePostRequest.fromPartial({ caption: 'a', platformOverrides: [{ override: { platform: 'facebook', ...override } }] }),
      ['facebook'],
      [],
      [{ platform: 'facebook', settings }],
    ).findings.map(({ ruleId, severity, field }) => [ruleId, severity, field]);
  expect(findings({ options }, {})).toEqual([
    ['options_ignored', 'FINDING_SEVERITY_WARNING', 'platform_overrides.0.options.is_ai_generated'],
  ]);
  expect(findings({}, options)).toEqual([]);
});

test('an option of one kind of account is an error for accounts of another kind', () => {
  const override = { platform: 'linkedin', options: { visibility: 'CONNECTIONS' } };
  const request = CreatePostRequest.fromPartial({ caption: 'a', platformOverrides: [{ override }] });
  const found = (...accountIds: (string | undefined)[]) =>
    platformFindings(
      request,
      ['linkedin'],
      [],
      accountIds.map((accountId) => ({ platform: 'linkedin', accountId, settings: {} })),
    ).findings.map(({ ruleId, severity, field }) => `${ruleId} ${severity} ${field}`);
  const wrong = ['options_unsupported FINDING_SEVERITY_ERROR platform_overrides.0.options.visibility'];
  expect(found('urn:li:person:a', 'urn:li:organization:1', 'urn:li:organization:2')).toEqual(wrong);
  expect(found('urn:li:person:a')).toEqual([]);
  expect(found(undefined)).toEqual([]);
  expect(found()).toEqual([]);
});

test('a problem with some accounts of a platform names those accounts', () => {
  const override = { platform: 'linkedin', options: { visibility: 'CONNECTIONS' } };
  const request = CreatePostRequest.fromPartial({ caption: 'a'.repeat(3_001), platformOverrides: [{ override }] });
  const details = (...accountIds: string[]) =>
    platformFindings(
      request,
      ['linkedin'],
      [],
      accountIds.map((accountId, index) => ({ platform: 'linkedin', integrationId: `account-${index}`, accountId, settings: {} })),
    ).findings.map(({ detail }) => detail);
  const tooLong = '3001 characters; at most 3000 are allowed.';
  expect(details('urn:li:person:a', 'urn:li:organization:1')).toEqual([
    tooLong,
    expect.stringMatching(/^A page has no connections.* Affected account: account-1\.$/),
  ]);
  expect(details('urn:li:person:a', 'urn:li:organization:1', 'urn:li:organization:2')).toEqual([
    tooLong,
    expect.stringMatching(/ Affected accounts: account-1, account-2\.$/),
  ]);
  expect(details('urn:li:organization:1')).toEqual([tooLong, expect.not.stringContaining('account-0')]);
});

test('a phone number in a text for Google is a warning', () => {
  const { findings, fix } = check({ caption: 'Call +43 1 234 56 78' }, ['google_business', 'facebook'], []);
  expect(findings.map(({ ruleId, severity, platform, field, value }) => [ruleId, severity, platform, field, value])).toEqual([
    ['caption_discouraged', 'FINDING_SEVERITY_WARNING', 'google_business', 'caption', '+43 1 234 56 78'],
  ]);
  expect(fix).toEqual([]);
});

test('a link is not sent beside media that are not known yet either', () => {
  const request = CreatePostRequest.fromPartial({ caption: 'a', link: 'https://example.com/a', mediaUrls: ['https://a.example/1'] });
  expect(platformFindings(request, ['facebook'], []).findings.map(({ ruleId }) => ruleId)).toEqual(['link_ignored']);
});

test('a cover after the end of the video is an error of the post', () => {
  const video: CheckedMedia = { ...image, type: 'video', mimeType: 'video/mp4', height: 1_920, durationMs: 5_000 };
  const request = CreatePostRequest.fromPartial({ caption: 'a', mediaIds: ['m'], videoCoverTimestampMs: 5_001 });
  const { findings } = platformFindings(request, ['tiktok'], [video]);
  expect(findings.map(({ ruleId, severity, field }) => [ruleId, severity, field])).toEqual([
    ['video_cover_timestamp_ms_unsupported', 'FINDING_SEVERITY_ERROR', 'video_cover_timestamp_ms'],
  ]);
});

test('a text that would be empty after the cut has no fix', () => {
  const { findings, fix } = check({ caption: '<<<>>>' }, ['youtube'], [{ ...image, type: 'video', mimeType: 'video/mp4' }]);
  expect(findings.map(({ ruleId, fix: own }) => [ruleId, own])).toEqual([['caption_forbidden', []]]);
  expect(fix).toEqual([]);
});

test('the detail says that a media type is not accepted at all, and calls an alternative text a text', () => {
  const video: CheckedMedia = { ...image, type: 'video', mimeType: 'video/mp4' };
  expect(check({ caption: 'a' }, ['google_business'], [video]).findings.map(({ detail }) => detail)).toEqual([
    'This platform does not accept videos.',
  ]);
  expect(check({ caption: 'a' }, ['x'], [{ ...image, altText: 'a'.repeat(1_001) }]).findings).toMatchObject([
    { ruleId: 'alt_text_max_length', field: 'media_ids.0', limit: 1_000, value: 1_001 },
  ]);
});

const text = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom('#a', '<b>', '@b', '$CC', 'https://a.example/b')), {
    maxLength: 400,
  })
  .map((words) => words.join(' '));
const everyPlatform = Object.keys(platformRules);
const override = fc.record(
  { platform: fc.constantFrom(...everyPlatform), caption: text, title: text, first_comment: text },
  { requiredKeys: ['platform'] },
);
const bodies = fc.record(
  { caption: text, platform_overrides: fc.uniqueArray(override, { selector: ({ platform }) => platform }) },
  { requiredKeys: ['caption'] },
) as fc.Arbitrary<Body>;

test('a patched post has no fixable finding left, for any post', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      const { findings, fix } = check(body, everyPlatform);
      const left = check(patched(body, fix), everyPlatform).findings;
      expect(left.filter((one) => one.fix.length > 0)).toEqual([]);
      for (const one of findings.filter(({ fix: own }) => own.length > 0)) {
        const after = check(patched(body, one.fix), everyPlatform).findings;
        expect(after.find(({ ruleId, platform }) => ruleId === one.ruleId && platform === one.platform)).toBeUndefined();
      }
    }),
    { numRuns: 100 },
  );
});
