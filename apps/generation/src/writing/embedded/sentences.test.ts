import { ended, headline, sentencesOf } from './sentences.ts';

const textsOf = (text: string, isPage = false) => sentencesOf(text, { isPage }).map((sentence) => sentence.text);

test.each<[string, string[]]>([
  [
    'Find us at https://shop.example.com/a?b=1&c=2 today. It is good bread.',
    ['Find us at https://shop.example.com/a?b=1&c=2 today.', 'It is good bread.'],
  ],
  ['It costs 4.50 euros at www.bread.example.com/shop?x=1. Come!', ['It costs 4.50 euros at www.bread.example.com/shop?x=1.', 'Come!']],
  ['Im Steinofen, z. B. mit Roggen. Das Brot kostet 4,50 Euro.', ['Im Steinofen, z. B. mit Roggen.', 'Das Brot kostet 4,50 Euro.']],
  ["Made e.g. with rye, at Dr. Silva's mill. Open daily.", ["Made e.g. with rye, at Dr. Silva's mill.", 'Open daily.']],
  ['毎朝七時に開店します。三種類のパンを焼いています。', ['毎朝七時に開店します。', '三種類のパンを焼いています。']],
])('%j is split where its sentences end', (text, expected) => {
  expect(textsOf(text)).toEqual(expected);
});

test('banners and notices of a web page are left out; the same words of a caller are kept', () => {
  const page = 'We use cookies to improve your visit.\nAll rights reserved.\nOur chocolate cookies come out of the oven at ten.';
  expect(textsOf(page, true)).toEqual(['Our chocolate cookies come out of the oven at ten.']);
  expect(textsOf('Subscribe to our bread box. We teach JavaScript on Mondays.')).toHaveLength(2);
});

test('a long text without punctuation is split between words, and nothing of it is lost', () => {
  const text = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
  const parts = textsOf(text);
  expect(parts.every(({ length }) => length <= 400)).toBe(true);
  expect(parts.join(' ')).toBe(text);
});

test.each([
  ['Bread is patience', 'Bread is patience.'],
  ['Fresh?', 'Fresh?'],
  ['パンです', 'パンです。'],
  ['रोटी', 'रोटी।'],
  ['สวัสดี', 'สวัสดี'],
  ['🥐🥐🥐', '🥐🥐🥐'],
  ['See https://bread.example.com/shop', 'See https://bread.example.com/shop'],
])('%j ends as texts of its script end', (text, expected) => {
  expect(ended(text)).toBe(expected);
});

test('a headline is cut between words', () => {
  expect(headline('A very long idea about bread and the people who bake it', 30)).toBe('A very long idea about bread…');
});
