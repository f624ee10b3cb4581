import { options } from './options.ts';

test.each([
  [{}],
  [{ privacy_status: 'unlisted', category_id: '22', tags: ['a b', 'c'], made_for_kids: true }],
  // With the comma, 500 characters; with the quotes of the second one too.
  [{ tags: ['a'.repeat(250), 'b'.repeat(249)] }],
  [{ tags: ['a'.repeat(250), `${'b'.repeat(245)} c`] }],
])('%j is taken', (value) => {
  expect(options.safeParse(value).success).toBe(true);
});

test.each([
  [{ privacy_status: 'secret' }],
  [{ category_id: 'music' }],
  [{ tags: ['a,b'] }],
  [{ tags: ['<b>'] }],
  [{ tags: ['a'.repeat(501)] }],
  [{ tags: ['a'.repeat(250), 'b'.repeat(250)] }],
  [{ tags: ['a'.repeat(250), `${'b'.repeat(246)} c`] }],
  [{ colour: 'red' }],
])('%j is not', (value) => {
  expect(options.safeParse(value).success).toBe(false);
});
