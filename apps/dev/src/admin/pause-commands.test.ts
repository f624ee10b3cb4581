import { pauseId } from './pause-commands.ts';

test('a pause is ended with the arguments that created it', () => {
  expect(pauseId({ platform: 'x' })).toBe('platform:x');
  expect(pauseId({ organization: 'o1' })).toBe('organization:o1');
  expect(pauseId({ integration: 'i1' })).toBe('integration:i1');
  expect(pauseId({})).toBe('all');
});
