import { options } from './options.ts';

test.each([
  [{}],
  [{ privacy_status: 'unlisted', category_id: '22', tags: ['a b', 'c'], made_for_kids: true }],
  [{ contains_synthetic_media: true, default_language: 'en', notify_subscribers: false }],
  [{ default_language: 'zh-Hant-TW' }],
  [{ default_language: 'es-419' }],
  // With the comma, 500 characters; with the quotes of the second one too.
  [{ tags: ['a'.repeat(250), 'b'.repeat(249)] }],
  [{ tags: ['a'.repeat(250), `${'b'.repeat(245)} c`] }],
])('%j is accepted', (value) => {
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
  [{ contains_synthetic_media: 'yes' }],
  [{ default_language: 'English' }],
  [{ default_language: 'en_GB' }],
  [{ notify_subscribers: 1 }],
  [{ colour: 'red' }],
])('%j is rejected', (value) => {
  expect(options.safeParse(value).success).toBe(false);
});
