import { readabilityOf } from './readability.ts';
import { phrasesOf, scoreDraft, type Measured } from './score-draft.ts';

const aDraft = (more: Partial<Measured> = {}): Measured => ({
  copy: { caption: 'The cat sat on the mat. The dog ran.', platformCaptions: {} },
  language: 'en',
  platforms: ['x'],
  contrast: undefined,
  recentPhrases: [],
  ...more,
});

test.each([
  // 9 words, 2 sentences, 9 syllables: 206.835 - 1.015 * 4.5 - 84.6 = 117.67
  ['en', 'The cat sat on the mat. The dog ran.', 'flesch_reading_ease', 100],
  // 6 words, 1 sentence, 19 syllables: 206.835 - 1.015 * 6 - 84.6 * 19 / 6 < 0
  ['en', 'Organizational responsibility necessitates international collaboration immediately.', 'flesch_reading_ease', 0],
  // 8 words, 1 sentence, 11 syllables: 180 - 8 - 58.5 * 11 / 8 = 91.56
  ['de', 'Das Brot kommt heute aus der kleinen Mühle.', 'flesch_amstad', 91.6],
  // 5 words, 1 sentence, 24 letters: 89 + (300 - 240) / 5 = 101
  ['it', 'Il pane fresco ogni mattina.', 'gulpease', 100],
])('readability of a text in %s follows its formula: %s', (language, text, measure, score) => {
  expect(readabilityOf(text, language)).toEqual({ measure, score });
});

test('without a measure, readability is absent and does not count', () => {
  const score = scoreDraft(aDraft({ language: 'ja', contrast: 7 }));
  expect(score).toMatchObject({ readability: undefined, readabilityMeasure: '', contrast: 100, contrastRatio: 7 });
  expect(score.overall).toBeCloseTo(((score.length ?? 0) + 100 + 100) / 3, 1);
});

test.each([
  [1, 0],
  [4.5, 58.3],
  [7, 100],
  [21, 100],
])('a contrast of %d scores %d', (contrast, expected) => {
  expect(scoreDraft(aDraft({ contrast })).contrast).toBe(expected);
});

test('length is computed for each platform, with its own caption if it has one', () => {
  const caption = 'A line. '.repeat(60).trim();
  const { lengths, length } = scoreDraft(
    aDraft({
      copy: { caption, platformCaptions: { x: 'Short enough to be read by everybody who sees it.' } },
      platforms: ['x', 'instagram'],
    }),
  );
  expect(lengths).toEqual([
    { platform: 'x', characters: 49, limit: 280 },
    { platform: 'instagram', characters: 479, limit: 2_200 },
  ]);
  expect(length).toBeGreaterThan(90);
});

test('a repeated caption scores 0 for originality, half of it scores 50', () => {
  const caption = 'one two three four five six seven';
  const originality = (recentCaptions: readonly string[]) =>
    scoreDraft(aDraft({ copy: { caption, platformCaptions: {} }, recentPhrases: recentCaptions.map(phrasesOf) })).originality;
  expect(originality([])).toBe(100);
  expect(originality(['something else entirely'])).toBe(100);
  expect(originality([`${caption} #tag`])).toBe(0);
  // Two of its five phrases of three words.
  expect(originality(['one two three four'])).toBe(60);
});
