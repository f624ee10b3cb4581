import { checkContent, connectors, type Content } from '@fanfare/connectors';
import { PostSnapshot } from '@fanfare/contracts/content/events';
import { contentForPlatform } from './content-for-platform.ts';
import { rejectionMessage } from './rejection-message.ts';

const image: Content['media'][number] = {
  id: 'm',
  type: 'image',
  mimeType: 'image/jpeg',
  sizeBytes: 1_000,
  width: 3_000,
  height: 1_000,
  altText: '',
  publicUrl: 'https://media.example.com/m',
  read: () => Promise.resolve(Buffer.alloc(0)),
};
const video = { ...image, type: 'video', mimeType: 'video/mp4' } as const;

function rejectionOf(
  platform: 'instagram' | 'google_business' | 'x',
  content: Partial<Content>,
  overrides: object[] = [],
): string | undefined {
  const { limits } = connectors[platform];
  const all = { caption: 'a', media: [], ...content };
  const [finding] = checkContent(connectors[platform], all);
  const sent = contentForPlatform(platform, 'account', PostSnapshot.fromPartial({ caption: 'a', platformOverrides: overrides }));
  return finding && rejectionMessage(finding, all, limits, sent);
}

test('a rejection names the field of the post that is wrong', () => {
  expect(rejectionOf('google_business', { media: [video] })).toBe('media_urls: This platform does not accept videos.');
  const caption = 'a'.repeat(281);
  expect(rejectionOf('x', { caption })).toMatch(/^caption: 281 /);
  expect(rejectionOf('x', { caption }, [{ platform: 'facebook' }, { platform: 'x', title: 'Ours' }])).toMatch(/^caption: 281 /);
  expect(rejectionOf('x', { caption }, [{ platform: 'facebook' }, { platform: 'x', caption }])).toMatch(
    /^platform_overrides\.1\.caption: 281 /,
  );
});

test('a rejection names the override of the account, also in rows of the previous version', () => {
  const caption = 'a'.repeat(281);
  const own = [
    { platform: 'x', caption },
    { platform: '', integrationId: 'account', caption },
  ];
  expect(rejectionOf('x', { caption }, own)).toMatch(/^platform_overrides\.1\.caption: 281 /);
  const all = { caption, media: [] };
  const [finding] = checkContent(connectors.x, all);
  const before = { caption, media_ids: [], overridden: { index: 2, fields: ['caption' as const] } };
  expect(finding && rejectionMessage(finding, all, connectors.x.limits, before)).toMatch(/^platform_overrides\.2\.caption: 281 /);
});

test('a rejection names the option that would help', () => {
  const wide = /^media_urls\.0: Too wide: .* To pad it, set media_fit to pad in the options of this platform's override/;
  expect(rejectionOf('instagram', { media: [image] })).toMatch(wide);
  const own = rejectionOf('instagram', { media: [image] }, [{ platform: 'instagram', media: { items: [{ id: 'm' }] } }]);
  expect(own).toMatch(/^platform_overrides\.0\.media_urls\.0: Too wide: /);
  expect(rejectionOf('google_business', { media: [video] })).not.toContain('media_fit');
});
