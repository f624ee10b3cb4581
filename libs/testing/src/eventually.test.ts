import { eventually } from './eventually.ts';

test('returns the first value; null, 0 and the empty string are values', async () => {
  let attempts = 0;
  expect(await eventually(() => (++attempts < 3 ? undefined : 'there'))).toBe('there');
  expect(attempts).toBe(3);
  expect(await eventually(async () => 0)).toBe(0);
  expect(await eventually(() => '')).toBe('');
  expect(await eventually(() => null)).toBeNull();
});

test('retries after false and after an error', async () => {
  const outcomes = [false, new Error('not yet'), true] as const;
  let attempts = 0;
  const value = await eventually(() => {
    const outcome = outcomes[attempts++]!;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  });
  expect(value).toBe(true);
  expect(attempts).toBe(3);
});

test('its error has the failure of the last attempt', async () => {
  const cause = new Error('expected 1, received 2');
  await expect(eventually(() => Promise.reject(cause), 1)).rejects.toMatchObject({
    message: expect.stringContaining('expected 1, received 2'),
    cause,
  });
  await expect(eventually(() => false, 1)).rejects.toThrow('It did not happen');
});
