import { asWords, nameProblem } from './plain-name.ts';

test.each([
  'Corner Bakery',
  'Booking.com',
  'Dr. No',
  'Müller & Söhne GmbH',
  'A/B Studio',
  'パン屋。',
  'Family 👨\u200d👩\u200d👧',
  'Room: 5',
  'England 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  'Heart ❤\ufe0f',
  '葛\u{e0100}飾 パン',
  'می\u200cخواهم',
  'v1.2',
])('%j is a name', (name) => expect(nameProblem(name)).toBeUndefined());

test.each([
  'https://evil.com',
  'http:evil.com',
  '//evil.example go',
  'www.evil.com',
  'evil.com/x',
  'evil.com?token=1',
  'evil.com:8080',
  'evil.com#x',
  '192.168.0.1/login',
  'evil。com/x',
  'ｅｖｉｌ．ｃｏｍ/x',
  'me@evil.com',
])('%j is a URL or an address', (name) => expect(nameProblem(name)).toMatch(/URL/));

test.each([
  'see http\u200b://evil.com',
  'a\u2060b',
  'a\ufeffb',
  'a\u3164b',
  '\u2800',
  'a\u115f\u1160b',
  'a\u034fb',
  'a\uffa0b',
  'a\u{e0061}b',
  'a\u{e0100}b',
])('%j contains invisible characters', (name) => expect(nameProblem(name)).toMatch(/invisible/));

test.each([
  ['Pay at evil.com now', 'Pay at evil.\u2060com now'],
  ['Pay at evil。com', 'Pay at evil.\u2060com'],
  ['Pay at evil\u2024com', 'Pay at evil.\u2060com'],
  ['ev\u3164il', 'evil'],
  ['192.168.0.1', '192.\u2060168.\u20600.\u20601'],
  ['http\u200b://evil.com', 'http:\u2060//evil.\u2060com'],
  ['Hello New.', 'Hello New.'],
])('%j is not a link in a mail', (text, shown) => expect(asWords(text)).toBe(shown));
