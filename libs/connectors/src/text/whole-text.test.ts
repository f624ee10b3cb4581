import type { Options } from '../connector.ts';
import { platformRules } from '../platform.ts';
import type { Platform } from '../platform.ts';

const event = { title: 'Open day', start_date: '2026-12-01', start_time: '09:00', end_date: '2026-12-01', end_time: '17:00' };

/** Every option that contains a text or an address, with a given text. */
const texts: readonly (readonly [Platform, field: string, (text: string) => Options])[] = [
  ['google_business', 'event.title', (title) => ({ topic_type: 'EVENT', event: { ...event, title } })],
  ['google_business', 'offer.coupon_code', (coupon_code) => ({ topic_type: 'OFFER', event, offer: { coupon_code } })],
  ['google_business', 'offer.terms_conditions', (terms_conditions) => ({ topic_type: 'OFFER', event, offer: { terms_conditions } })],
  ['google_business', 'offer.redeem_online_url', (redeem_online_url) => ({ topic_type: 'OFFER', event, offer: { redeem_online_url } })],
  ['google_business', 'call_to_action.url', (url) => ({ call_to_action: { action_type: 'BOOK', url } })],
  ['google_business', 'language_code', (language_code) => ({ language_code })],
  ['instagram', 'audio_name', (audio_name) => ({ audio_name })],
  ['instagram', 'collaborators.0', (one) => ({ collaborators: [one] })],
  ['instagram', 'user_tags.0.username', (username) => ({ user_tags: [{ username }] })],
  ['linkedin', 'article_description', (article_description) => ({ article_description })],
  ['linkedin', 'poll.question', (question) => ({ poll: { question, options: ['Yes', 'No'] } })],
  ['linkedin', 'poll.options.1', (response) => ({ poll: { question: 'Bread?', options: ['Yes', response] } })],
  ['pinterest', 'board_id', (board_id) => ({ board_id })],
  ['x', 'poll.options.1', (response) => ({ poll: { options: ['Yes', response], duration_minutes: 60 } })],
  ['x', 'community_id', (community_id) => ({ community_id })],
  ['youtube', 'tags.0', (tag) => ({ tags: [tag] })],
];

const wrong = (platform: Platform, options: Options): string[] => [
  ...new Set((platformRules[platform]?.options.safeParse(options).error?.issues ?? []).map(({ path }) => path.join('.'))),
];

test.each(texts)('%s %s rejects text that platforms do not publish', (platform, field, given) => {
  const start = /url$/.test(field) ? 'https://example.com/' : 'a';
  for (const text of [`${start}\0`, `${start}\ud800`, `${start}\u0007b`, `${start}\u0085b`, '', '   ', '\n']) {
    expect([text, wrong(platform, given(text))]).toEqual([text, [field]]);
  }
});

test('line breaks are allowed only in fields with several lines', () => {
  const offer = (terms_conditions: string) => wrong('google_business', { topic_type: 'OFFER', event, offer: { terms_conditions } });
  expect(offer('One each.\r\n\tWhile they last.')).toEqual([]);
  expect(wrong('instagram', { audio_name: 'Bread\nand butter' })).toEqual(['audio_name']);
});

test('blanks around a text are neither counted nor sent', () => {
  const poll = { options: [`  ${'y'.repeat(25)}  `, ' No'], duration_minutes: 60 };
  expect(platformRules.x?.options.parse({ poll })).toEqual({ poll: { ...poll, options: ['y'.repeat(25), 'No'] } });
  expect(wrong('x', { poll: { ...poll, options: ['y'.repeat(26), 'No'] } })).toEqual(['poll.options.0']);
});

test('choices of a poll must differ in more than white space', () => {
  const poll = (...options: string[]) => wrong('x', { poll: { options, duration_minutes: 60 } });
  expect(poll('Yes', 'No', 'yes')).toEqual([]);
  expect(poll('Yes', 'No', ' Yes ', 'No')).toEqual(['poll.options.2', 'poll.options.3']);
});
