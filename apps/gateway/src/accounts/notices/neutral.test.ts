import { neutral } from './neutral.ts';

test.each([
  ['Fresh  bread\nevery morning 🥖', 'Fresh bread every morning 🥖'],
  ['Sign in at https://evil.example/login now', 'Sign in at [link] now'],
  ['HTTP://EVIL.EXAMPLE and ftp://x', '[link] and [link]'],
  ['www.evil.example/a?b=c or evil.example', '[link] or [link]'],
  ['пример.рф или xn--e1afmkfd.xn--p1ai', '[link] или [link]'],
  ['pay at evil。com, 早上好。再见', 'pay at [link], 早上好。再见'],
  ['write to eve@evil.example', 'write to [link]'],
  ['ev\u200bil\u202e.exam\u2066ple', 'ev il .exam ple'],
  ['At 9.30 we open. Come!', 'At 9.30 we open. Come!'],
  ['a family 👨\u200d👩\u200d👧', 'a family 👨\u200d👩\u200d👧'],
  ['\u2028\u0000 ', ''],
])('%j is shown as %j', (text, shown) => expect(neutral(text, 100)).toBe(shown));

test('a text that is too long ends in an ellipsis, between characters', () => {
  expect(neutral('🥖🥖🥖🥖🥖', 4)).toBe('🥖🥖🥖…');
  expect(neutral('abcd', 4)).toBe('abcd');
  expect(neutral('a'.repeat(100_000), 5)).toBe('aaaa…');
});
