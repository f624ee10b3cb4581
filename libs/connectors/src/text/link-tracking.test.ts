import fc from 'fast-check';
import { countText } from './count-text.ts';
import { linkTracker, trackingValueProblem, type LinkTracking } from './link-tracking.ts';
import { platformRules } from '../platform.ts';
import type { PlatformRules } from '../platform-rules.ts';

const rules = (platform: keyof typeof platformRules) => platformRules[platform] as PlatformRules;
const delivery = { platform: 'x', post_id: 'p1', business_id: 'b1' };
const trackerOf = (tracking: LinkTracking, platform: keyof typeof platformRules = 'x') =>
  linkTracker(tracking, { ...delivery, platform }, rules(platform));
const caption = (text: string, tracking: LinkTracking = { source: '{platform}', medium: 'social' }) =>
  trackerOf(tracking)({ caption: text }).caption;

const ADDED = 'utm_source=x&utm_medium=social';

test.each([
  ['https://example.com', `https://example.com?${ADDED}`],
  ['See https://example.com/bread.', `See https://example.com/bread?${ADDED}.`],
  ['Seen https://example.com/bread?', `Seen https://example.com/bread?${ADDED}?`],
  ['(https://example.com/bread)', `(https://example.com/bread?${ADDED})`],
  ['https://example.com/rye_(bread)!', `https://example.com/rye_(bread)?${ADDED}!`],
  ['https://example.com/?a=1&b=%20', `https://example.com/?a=1&b=%20&${ADDED}`],
  ['https://example.com/bread#rye', `https://example.com/bread?${ADDED}#rye`],
  ['https://example.com/#/app?a=1', `https://example.com/?${ADDED}#/app?a=1`],
  ['HTTP://EXAMPLE.com/Bread', `HTTP://EXAMPLE.com/Bread?${ADDED}`],
  ['https://a.com/1 and\nhttps://b.com/2', `https://a.com/1?${ADDED} and\nhttps://b.com/2?${ADDED}`],
  ['見て「https://example.com/bread」よ', `見て「https://example.com/bread?${ADDED}」よ`],
  ['見て https://example.com/bread。', `見て https://example.com/bread?${ADDED}。`],
])('the links of %j get the parameters', (text, tracked) => expect(caption(text)).toBe(tracked));

test.each([
  'No link at all',
  'example.com and www.example.com/bread have no scheme',
  'ftp://example.com/bread and mailto:anna@example.com',
  'anna@example.com, @example.com, #example.com',
  'me@https://example.com',
  // They may be longer than what X takes for the link.
  'https://example.com/日本 and https://example.com/ü日',
  'https://example.com/a)b and https://example.com/.#',
  'https://example.com:99999999/a',
  'https://anna:secret@example.com/',
])('%j stays unchanged', (text) => expect(caption(text)).toBe(text));

test('parameters that a link has already are kept, also empty ones, and only the others are added', () => {
  expect(caption('https://example.com/?utm_source=mail&x')).toBe('https://example.com/?utm_source=mail&x&utm_medium=social');
  expect(caption('https://example.com/?utm_medium=&utm%5Fsource=a')).toBe('https://example.com/?utm_medium=&utm%5Fsource=a');
  expect(caption('https://example.com/#utm_source=mail')).toBe(`https://example.com/?${ADDED}#utm_source=mail`);
});

test('values name the delivery, and are escaped', () => {
  const tracking = { campaign: '{business_id} & {post_id}', content: "it's #1 (ü) $& {platform}." };
  expect(caption('https://example.com/', tracking)).toBe(
    'https://example.com/?utm_campaign=b1%20%26%20p1&utm_content=it%27s%20%231%20%28%C3%BC%29%20%24%26%20x%2E',
  );
});

test('all fields with links are tracked, and no others', () => {
  const tracked = `https://example.com/?utm_source=google_business`;
  const content = {
    ...{
      caption: 'https://example.com/',
      title: 'https://example.com/',
      link: 'https://example.com/',
      firstComment: 'At https://example.com/',
    },
    options: { call_to_action: { action_type: 'BOOK', url: 'https://example.com/' }, offer: { coupon_code: 'https://example.com/' } },
  };
  expect(trackerOf({ source: '{platform}' }, 'google_business')(content)).toEqual({
    ...{ caption: tracked, title: 'https://example.com/', link: tracked, firstComment: `At ${tracked}` },
    options: { call_to_action: { action_type: 'BOOK', url: tracked }, offer: { coupon_code: 'https://example.com/' } },
  });
});

test('a title that YouTube takes from the caption has the link as it was written', () => {
  const track = trackerOf({ source: 'a' }, 'youtube');
  expect(track({ caption: 'Bread: https://example.com/\nMore' })).toEqual({
    ...{ title: 'Bread: https://example.com/', caption: 'Bread: https://example.com/?utm_source=a\nMore' },
  });
  expect(track({ caption: 'https://example.com/', title: 'Ours' })).toMatchObject({ title: 'Ours' });
});

test.each([
  ['spring {platform}-{post_id} {business_id}', undefined],
  ['{network}', 'has the unknown placeholder {network}; the placeholders are {platform}, {post_id}, {business_id}'],
  ['{Platform}', expect.stringContaining('unknown placeholder {Platform}') as string],
  ['{}', expect.stringContaining('unknown placeholder {}') as string],
  ['{platform', 'has a brace outside a placeholder'],
  ['{{platform}}', 'has a brace outside a placeholder'],
])('the value %j: %s', (value, problem) => expect(trackingValueProblem(value)).toEqual(problem));

const url = fc.webUrl({ withQueryParameters: true, withFragments: true });
const someText = fc
  .array(fc.oneof(url, fc.string({ unit: 'grapheme' }), fc.constantFrom(' ', '\n', '.', ', ', ')', '(', 'anna@example.com', '@anna')), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));
const someTracking = fc.record(
  { source: fc.string({ unit: 'grapheme', minLength: 1 }), campaign: fc.constantFrom('{post_id}', "a.b'(c)", 'ü {platform}.') },
  { requiredKeys: ['campaign'] },
);

test('tracking twice is tracking once, and X counts the text as before', () => {
  fc.assert(
    fc.property(someText, someTracking, (text, tracking) => {
      const tracked = caption(text, tracking);
      expect(caption(tracked, tracking)).toBe(tracked);
      expect(countText(tracked, 'x_weighted')).toBe(countText(text, 'x_weighted'));
    }),
  );
});

test('a link keeps its target: its own parameters stay first, and its fragment stays', () => {
  fc.assert(
    fc.property(url, (link) => {
      const tracked = trackerOf({ source: 'a b' })({ caption: '', link }).link;
      const [before, after] = [new URL(link), new URL(tracked)];
      expect([after.origin, after.pathname, after.hash]).toEqual([before.origin, before.pathname, before.hash]);
      const own = [...before.searchParams].filter(([name]) => name !== '');
      expect([...after.searchParams].filter(([name]) => name !== '')).toEqual([...own, ['utm_source', 'a b']]);
    }),
  );
});
