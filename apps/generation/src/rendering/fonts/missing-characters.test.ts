import { missingFont } from './missing-characters.ts';

test.each([
  'Crème brûlée, Ελληνικά, Русский, Tiếng Việt, 5 €, ½, „quotes“ … → ★ ✓',
  'שלום، مرحبا, हिन्दी, বাংলা, ไทย, 한국어, 日本語「パン」, 简体 繁體',
  '1️⃣ 🏳️‍🌈 👩‍🍳 🇵🇹 ❤️',
])('there is a font for every character of %s', (text) => {
  expect(missingFont(text, 'en')).toBeUndefined();
});

test.each([
  ['Bread தமிழ்', 'Tamil'],
  ['తెలుగు', 'Telugu'],
  ['ភាសាខ្មែរ', 'Khmer'],
  ['አማርኛ', 'Ethiopic'],
  ['ᏣᎳᎩ', 'Cherokee'],
])('the message about %s names the characters and the script', (text, script) => {
  const message = missingFont(text, 'en');
  expect(message).toContain(`(${script})`);
  expect(message).toContain([...text].at(-2) ?? '');
  expect(message).toContain('Designs can have texts in Latin, Greek,');
});
