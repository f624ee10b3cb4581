import type { Post } from '../world/post.ts';
import type { Card } from './card.ts';
import { chosen } from './chosen.ts';
import { platforms } from '../platforms/registry.ts';

const post = (platform: Post['platform'], details: Post['details'], text = ''): Post => ({
  ...{ id: '1', platform, account_id: '2', kind: 'text', text, link: null, media_ids: [], reply_to: null, url: 'https://x.com/1' },
  ...{ created_at: '2026-01-01T00:00:00.000Z', processing: null, published: true, details },
});

const cardOf = ({ platform }: Post): Card => platforms[platform].card;
const read = (one: Post) =>
  [...chosen(one, { ...cardOf(one), shows: [] }).matchAll(/<dt>(.*?)<\/dt><dd>(.*?)<\/dd>/g)].map(
    ([, label, words]) => `${label}: ${words}`,
  );

test.each([
  ['a poll', post('x', { poll: { options: ['Rye', 'Wheat'], duration_minutes: 1440 } }), ['Poll: Rye · Wheat (1 day)']],
  [
    'a poll of LinkedIn',
    post('linkedin', { poll: { question: 'Which?', options: [{ text: 'Rye' }, { text: 'Wheat' }], settings: { duration: 'SEVEN_DAYS' } } }),
    ['Poll: Which? Rye · Wheat (seven days)'],
  ],
  ['a card', post('linkedin', { article: { source: 'https://a.b/', title: 'Bread', description: 'Rye' } }), ['Card: Bread · Rye']],
  ['who may reply', post('x', { reply_settings: 'mentionedUsers', urls: [] }), ['Replies from: mentioned users']],
  [
    'a cover',
    post('facebook', { title: 'Tour', cover: { media_id: '9', width: 2, height: 3 } }),
    ['Title: Tour', 'Cover: custom cover, 2 × 3'],
  ],
  ['a frame', post('instagram', { thumb_offset: 1500, share_to_feed: false }), ['Cover: frame at 1.5 s', 'In the feed: no']],
  ['people', post('instagram', { user_tags: [{ username: 'ann', x: 0, y: 1 }], collaborators: ['bob'] }), ['With: @bob', 'People: @ann']],
  ['who sees it', post('tiktok', { title: 'Hi', privacy_level: 'PUBLIC_TO_EVERYONE' }, 'Hi\nall'), ['Seen by: public to everyone']],
  [
    'a button',
    post('google_business', { callToAction: { actionType: 'LEARN_MORE', url: 'https://a.b/' } }),
    ['Button: learn more: https://a.b/'],
  ],
  ['an offer', post('google_business', { offer: { couponCode: 'X1', termsConditions: 'Once' } }), ['Offer: code X1 · Once']],
  [
    'a video',
    post('youtube', { title: 'A &', tags: ['a', 'b'], privacy_status: 'public' }),
    ['Title: A &#38;', 'Privacy: public', 'Tags: #a #b'],
  ],
  [
    'a video that is made by AI',
    post('youtube', { notify_subscribers: false, default_language: 'pt-BR', contains_synthetic_media: true }),
    ['Subscribers notified: no', 'Language: pt-BR', 'Altered or made with AI: yes'],
  ],
  ['nothing', post('linkedin', { content: null, sent: 'Hi' }), []],
])('%s is shown in plain language', (_, one, rows) => {
  expect(read(one)).toEqual(rows);
});

test('an event is shown with its days and times', () => {
  const schedule = {
    ...{ startDate: { year: 2027, month: 3, day: 1 }, startTime: { hours: 9 } },
    ...{ endDate: { year: 2027, month: 3, day: 2 }, endTime: { hours: 17, minutes: 30 } },
  };
  expect(read(post('google_business', { event: { title: 'Open day', schedule } }))).toEqual([
    'Event: Open day, 2027-03-01 09:00 to 2027-03-02 17:30',
  ]);
});
