import { boundJson } from './bound-json.ts';

const rejection = (detail: RegExp) =>
  expect.objectContaining({ code: 'validation_failed', detail: expect.stringMatching(detail) as string }) as unknown;
const nested = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

test.each([
  ['a list', Array.from({ length: 5_000 }, () => 1)],
  ['members', Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`m${at}`, at]))],
  ['lists within members', { a: Array.from({ length: 2_499 }, () => 1), b: { c: Array.from({ length: 2_498 }, () => null) } }],
])('5,000 values are allowed, and not one more: %s', (_what, body) => {
  expect(() => boundJson(body)).not.toThrow();
  expect(() => boundJson([body])).toThrow(rejection(/more than 5000/) as Error);
});

test('the largest post is allowed', () => {
  const many = (count: number) => Array.from({ length: count }, () => 'x');
  const override = { platform: 'x', caption: 'x', media_urls: many(50), title: 'x', link: 'x', first_comment: 'x' };
  const metadata = Object.fromEntries(many(200).map((value, at) => [`${at}`, value]));
  const post = { media_urls: many(50), restrict_publish_to: many(50), restrict_publish_to_integration_ids: many(100), metadata };
  expect(() => boundJson({ ...post, platform_overrides: many(50).map(() => override) })).not.toThrow();
});

test('32 levels below the body are allowed, and not one more', () => {
  expect(() => boundJson(nested(33))).not.toThrow();
  expect(() => boundJson(nested(34))).toThrow(rejection(/more than 32 levels deep/) as Error);
});

test('nesting without end is rejected like any other', () => {
  expect(() => boundJson(nested(500_000))).toThrow(rejection(/more than 32 levels deep/) as Error);
});

test.each([null, 5, 'x', undefined])('%j has nothing in it', (body) => {
  expect(() => boundJson(body)).not.toThrow();
});
