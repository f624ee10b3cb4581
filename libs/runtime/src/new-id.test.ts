import { derivedId, isUuid, newId } from './new-id.ts';

test('ids are UUIDs that sort by creation time', () => {
  const ids = Array.from({ length: 1_000 }, newId);
  expect(ids.every(isUuid)).toBe(true);
  expect(ids[0]![14]).toBe('7');
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids).size).toBe(1_000);
});

test('a derived id is the same for the same name within an operation, and differs for any other', () => {
  const [one, other] = [newId(), newId()];
  expect(derivedId(one, 'media.0')).toBe(derivedId(one, 'media.0'));
  expect(new Set([derivedId(one, 'media.0'), derivedId(one, 'media.1'), derivedId(other, 'media.0')]).size).toBe(3);
  expect(isUuid(derivedId(one, 'media.0'))).toBe(true);
  expect(derivedId(one, 'media.0').slice(0, 15)).toBe(one.slice(0, 15)); // Version 7, with the same time.
});

test.each(['', 'x', '0190-', `${newId()} `, newId().slice(1)])('"%s" is not a UUID', (text) => expect(isUuid(text)).toBe(false));
