import { LinkTracking } from '@fanfare/contracts/content';
import { PostSnapshot } from '@fanfare/contracts/content/events';
import { contentForPlatform } from './content-for-platform.ts';

const commented = (firstComment: string) =>
  contentForPlatform(
    'linkedin',
    'account',
    PostSnapshot.fromPartial({ caption: 'Bread', platformOverrides: [{ platform: 'linkedin', firstComment }] }),
  );

test('a first comment is sent as it was written', () => {
  expect(commented(' First!\n')).toMatchObject({ first_comment: ' First!\n' });
});

test.each(['', ' ', '\n\t'])('%j is not a comment: no platform accepts an empty one', (firstComment) => {
  expect(commented(firstComment)).not.toHaveProperty('first_comment');
});

const media = (...ids: string[]) => ({ items: ids.map((id) => ({ id })) });
const snapshot = PostSnapshot.fromPartial({
  caption: 'For all',
  link: 'https://example.com/',
  media: media('all').items,
  platformOverrides: [
    {
      platform: 'pinterest',
      caption: 'For Pinterest',
      title: 'Pin',
      media: media('pin'),
      options: { board_id: '1', board_section_id: '11' },
    },
    { platform: '', integrationId: 'first', caption: 'For the first', options: { board_id: '2' } },
    { platform: '', integrationId: 'second', link: 'https://example.com/second', options: { alt_text: 'x' }, media: media() },
  ],
});

test('the override of the account takes precedence over that of the platform, and that over the post, for each field and option', () => {
  expect(contentForPlatform('pinterest', 'first', snapshot)).toEqual({
    caption: 'For the first',
    title: 'Pin',
    link: 'https://example.com/',
    media_ids: ['pin'],
    options: { board_id: '2' },
    overridden_at: { caption: 1, media: 0 },
  });
  expect(contentForPlatform('pinterest', 'second', snapshot)).toEqual({
    caption: 'For Pinterest',
    title: 'Pin',
    link: 'https://example.com/second',
    media_ids: [],
    options: { board_id: '1', board_section_id: '11', alt_text: 'x' },
    overridden_at: { caption: 0, link: 2, media: 2 },
  });
});

test('the link parameters of the business are part of each content, and links stay unchanged until the delivery begins', () => {
  const sent = contentForPlatform('x', 'third', { ...snapshot, linkTracking: LinkTracking.fromPartial({ source: 'a' }) });
  expect(sent).toMatchObject({ link: 'https://example.com/', link_tracking: { source: 'a' } });
});

test('an override does not apply to another account or platform', () => {
  expect(contentForPlatform('pinterest', 'third', snapshot)).toMatchObject({ caption: 'For Pinterest', media_ids: ['pin'] });
  expect(contentForPlatform('x', 'third', snapshot)).toEqual({ caption: 'For all', link: 'https://example.com/', media_ids: ['all'] });
});
