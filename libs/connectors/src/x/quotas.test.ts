import { aContent } from '../../test/a-content.ts';
import { costOf } from './quotas.ts';

test.each([
  ['a text', {}, 15],
  ['an address in it', { caption: 'Read https://example.com/a' }, 200],
  ['an address without a scheme', { caption: 'Read example.com' }, 200],
  ['a first comment', { firstComment: 'First!' }, 30],
  ['an address in the first comment', { firstComment: 'https://example.com' }, 215],
])('%s counts as a paid post', (_what, part, cost) => {
  expect(costOf(aContent({ caption: 'Hello', ...part }))).toBe(cost);
});
