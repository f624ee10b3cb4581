import type { Platform } from '@fanfare/connectors';
import fc from 'fast-check';
import type { Source } from '../../input/source.ts';
import type { Brief, CopyFormat, Topic } from '../composer.ts';
import { countFor, textLimitFor } from '../fit-platforms.ts';
import { embeddedComposer as composer } from './embedded-composer.ts';

const signal = new AbortController().signal;
const aBrief = (more: Partial<Brief> = {}): Brief => ({
  businessName: 'Padaria Aurora',
  description: 'A family bakery in Lisbon. We bake sourdough bread, custard tarts and seasonal cakes.',
  industry: 'Bakery',
  language: 'en',
  voice: 'warm and friendly',
  rules: [],
  platforms: ['x', 'instagram', 'linkedin'],
  ...more,
});
const TEXT = [
  'Our sourdough is made with just flour, water and salt, and it rests for a whole day before it goes into the oven.',
  'We open at seven every morning except Monday.',
  'The flour comes from a mill in Alentejo, forty kilometres from our door.',
  'On Saturdays you can watch the bakers at work, and children may shape their own rolls.',
  'Orders for Christmas cakes are taken until the tenth of December.',
].join(' ');
const aSource = (text = TEXT, more: Partial<Source> = {}): Source => ({ kind: 'text', title: '', text, language: 'en', url: '', ...more });

async function drafts(source: Source, brief: Brief, formats: readonly CopyFormat[], topics: readonly Topic[] = []) {
  const { value: ideas } = await composer.ideas({ source, brief, topics, count: formats.length }, signal);
  return Promise.all(
    formats.map(async (format, index) => {
      const idea = ideas[index % ideas.length];
      if (!idea) throw new Error('There are no ideas.');
      return { idea, copy: (await composer.copy({ source, brief, idea, format, index }, signal)).value };
    }),
  );
}

test('posts from a text differ, and state only what the text states', async () => {
  const all = await drafts(aSource(), aBrief(), ['design', 'design', 'design']);
  expect(new Set(all.map(({ idea }) => idea.title)).size).toBe(3);
  expect(new Set(all.map(({ copy }) => copy.caption)).size).toBe(3);
  for (const { copy } of all) {
    const body = copy.caption.split('\n\n')[1] ?? '';
    for (const sentence of body.split(/(?<=\.) /)) expect(TEXT).toContain(sentence);
  }
});

test('posts from a short text are about it, and use the description of the business only as an addition', async () => {
  const all = await drafts(aSource('A new shop opens in Alfama on Friday. The first fifty guests get coffee for free.'), aBrief(), [
    'design',
    'design',
    'design',
  ]);
  for (const { idea } of all) expect(idea.title).not.toMatch(/family bakery|custard tarts/);
  expect(all[0]?.copy.pages[0]?.body).not.toMatch(/family bakery|custard tarts/);
});

test('posts from an idea of four words use the description of the business', async () => {
  const source = aSource('A bakery in Lisbon', { kind: 'idea' });
  const [first, second] = await drafts(source, aBrief(), ['design', 'carousel']);
  expect(first?.copy.caption).toContain('sourdough bread');
  expect(first?.copy.caption).not.toBe(second?.copy.caption);
  expect(first?.copy.caption).not.toMatch(/\d/);
});

test('a post has no topic that the text says nothing about', async () => {
  const topics = [
    { title: 'Yoga', body: 'Classes for beginners.', categoryName: '' },
    { title: 'Opening hours', body: 'When the bakery opens.', categoryName: '' },
  ];
  const all = await drafts(aSource(), aBrief(), ['design', 'design'], topics);
  expect(all.map(({ idea }) => idea.topic?.title)).not.toContain('Yoga');
  expect(all[0]?.idea.topic?.title).toBe('Opening hours');
});

test('hashtags are words, not parts of URLs', async () => {
  const source = aSource('Order our sourdough at https://bakery.example.com/orders?day=monday today.');
  const [draft] = await drafts(source, aBrief(), ['design']);
  expect(draft?.copy.caption).toContain('https://bakery.example.com/orders?day=monday');
  expect(draft?.copy.hashtags).not.toEqual(expect.arrayContaining(['https']));
});

test('posts use topics in turn, each with the sentences closest to it', async () => {
  const topics = [
    { title: 'Ingredients', body: 'Where our flour comes from', categoryName: 'Craft' },
    { title: 'Opening hours', body: 'When we open', categoryName: '' },
  ];
  const all = await drafts(aSource(), aBrief(), ['design', 'design', 'design'], topics);
  expect(all.map(({ idea }) => idea.topic?.title)).toEqual(['Ingredients', 'Opening hours', 'Ingredients']);
  expect(all[0]?.idea.title).toContain('flour');
  expect(all[1]?.idea.title).toContain('open at seven');
});

test.each<[CopyFormat, (pages: readonly object[]) => void]>([
  ['design', (pages) => expect(pages).toMatchObject([{ headline: expect.any(String) }])],
  ['image', (pages) => expect(pages).toMatchObject([{ headline: expect.any(String) }])],
  ['meme', (pages) => expect(pages).toMatchObject([{ top: expect.any(String), bottom: expect.any(String) }])],
  ['carousel', (pages) => expect(pages.length).toBeGreaterThanOrEqual(3)],
])('a %s gets the texts for its slots', async (format, check) => {
  const [draft] = await drafts(aSource(), aBrief(), [format]);
  check(draft?.copy.pages ?? []);
  for (const page of draft?.copy.pages ?? []) expect(page.headline?.length ?? 0).toBeLessThanOrEqual(80);
});

test('posts are written in the language of the text, without phrases in another language', async () => {
  const source = aSource(
    'Tuore leipä paistetaan joka aamu seitsemältä. Jauhot tulevat lähimyllystä. Lauantaina voi katsoa leipureita työssä.',
    {
      language: 'fi',
    },
  );
  const [draft] = await drafts(source, aBrief(), ['design']);
  expect(draft?.copy.caption).not.toMatch(/\b(the|and|what|today|learn)\b/i);
  const german = aSource('Frisches Brot gibt es jeden Morgen ab sieben Uhr. Das Mehl kommt aus der Mühle im Dorf.', { language: 'de' });
  const [second] = await drafts(german, aBrief(), ['design']);
  expect(second?.copy.caption).toContain('Kommentare');
});

describe('writing rules', () => {
  const written = async (rules: readonly string[], text = TEXT) =>
    (await drafts(aSource(text), aBrief({ rules, voice: 'playful' }), ['design', 'design', 'design'])).map(({ copy }) => copy);

  test.each([
    ['No exclamation marks', /!/],
    ['Never use emojis', /\p{Emoji_Presentation}/u],
    ['No hashtags', /#/],
    ['Never use the word "sourdough"', /sourdough/i],
    ["Don't ask questions", /\?/],
  ])('%s', async (rule, forbidden) => {
    for (const { caption } of await written([rule], `${TEXT} Fresh bread! 🥐 Come by!`)) expect(caption).not.toMatch(forbidden);
  });

  test('rules for the length and the ending apply together', async () => {
    for (const { caption, hashtags } of await written([
      'At most 120 characters',
      'Always end with "Aurora since 1954."',
      'At most 2 hashtags',
    ])) {
      const body = caption.split('\n\n#')[0] ?? '';
      expect(body.length).toBeLessThanOrEqual(120);
      expect(body.endsWith('Aurora since 1954.')).toBe(true);
      expect(hashtags.length).toBeLessThanOrEqual(2);
    }
  });
});

test('captions for a platform differ, and stay within its limit', async () => {
  const about = `${TEXT} ${TEXT}`;
  const { value } = await composer.captions({ about, brief: aBrief(), platform: 'x', tone: 'playful', count: 5 }, signal);
  expect(value.length).toBe(5);
  expect(new Set(value).size).toBe(5);
  for (const caption of value) expect(countFor('x', caption)).toBeLessThanOrEqual(280);
});

test('captions stay within the limits of their platforms for any text, without errors', async () => {
  const platforms: Platform[] = ['x', 'instagram', 'linkedin', 'pinterest', 'google_business'];
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 2_000 }), fc.lorem({ maxCount: 60, mode: 'sentences' }));
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom<CopyFormat>('design', 'carousel', 'meme', 'image'), async (text, format) => {
      const source = aSource(text, { language: 'und' });
      const idea = { title: text.slice(0, 80), summary: text, imageKeyword: '', topic: undefined };
      const { value } = await composer.copy({ source, brief: aBrief({ platforms }), idea, format, index: 1 }, signal);
      for (const platform of platforms) {
        const caption = value.platformCaptions[platform] ?? value.caption;
        expect(countFor(platform, caption)).toBeLessThanOrEqual(textLimitFor(platform)?.max ?? Infinity);
      }
    }),
    { numRuns: 60 },
  );
});

const warnings = (text: string, brief: Partial<Brief> = {}, more: Partial<Source> & { count?: number } = {}) => {
  const { count = 3, ...source } = more;
  return composer.warnings({ source: aSource(text, source), brief: aBrief(brief), count });
};

test.each([
  ['freundlich und herzlich', 'de'],
  ['informel et amical', 'fr'],
  ['divertido', 'es'],
  ['親しみやすい', 'ja'],
  ['ودود', 'ar'],
  ['दोस्ताना', 'hi'],
  ['plain', 'en'],
])('the voice %s is known in %s', async (voice, language) => {
  expect(await warnings(TEXT, { voice }, { language })).toEqual([]);
});

test.each([
  ['a voice that it does not know', await warnings(TEXT, { voice: 'like a pirate' }), /does not know this voice.*playful/],
  ['a language without phrases', await warnings(TEXT, { voice: 'friendly' }, { language: 'pl' }), /no phrases in the language "pl"/],
  ['fewer sentences than posts', await warnings(TEXT, {}, { count: 8 }), /5 sentences for 8 posts/],
  ['a text without a sentence', await warnings('\n \n'), /no sentence that can be used/],
])('warns of %s', (_, found, expected) => {
  expect(found).toEqual([expect.stringMatching(expected)]);
});
