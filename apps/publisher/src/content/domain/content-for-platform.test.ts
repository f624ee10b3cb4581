import { LinkTracking } from '@fanfare/contracts/content';
import { PostSnapshot } from '@fanfare/contracts/content/events';
import { contentForPlatform } from './content-for-platform.ts';

const commented = (firstComment: string) =>
  contentForPlatform(
    'linkedin',
    'account',
    PostSnapshot.fromPartial({ caption: 'Bread', platformOverrides: [{ platform: 'linkedin', firstComment }] }),
  );

test('a first comment goes as it was written', () => {
  expect(commented(' First!\n')).toMatchObject({ first_comment: ' First!\n' });
});

test.each(['', ' ', '\n\t'])('%j is no comment: no platform takes one without a word', (firstComment) => {
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

test('an account has its own, then what its platform has, then what the post has, field by field and option by option', () => {
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

test('what the business adds to links goes with each, and the links stay as they are until the delivery begins', () => {
  const sent = contentForPlatform('x', 'third', { ...snapshot, linkTracking: LinkTracking.fromPartial({ source: 'a' }) });
  expect(sent).toMatchObject({ link: 'https://example.com/', link_tracking: { source: 'a' } });
});

test('another account, and another platform, have nothing of it', () => {
  expect(contentForPlatform('pinterest', 'third', snapshot)).toMatchObject({ caption: 'For Pinterest', media_ids: ['pin'] });
  expect(contentForPlatform('x', 'third', snapshot)).toEqual({ caption: 'For all', link: 'https://example.com/', media_ids: ['all'] });
});
