import { parsePlatform } from './platform.ts';

test.each([
  ['facebook', 'facebook'],
  ['Twitter/X', 'x'],
  ['GBP', 'google_business'],
  ['myspace', undefined],
  // What every object has is no platform.
  ['constructor', undefined],
  ['__proto__', undefined],
  ['toString', undefined],
])('%s is read as %s', (name, platform) => {
  expect(parsePlatform(name)).toBe(platform);
});
