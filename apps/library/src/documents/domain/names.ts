import { DomainError } from '@fanfare/errors';
import { isVisible, withoutInvisible } from './invisible.ts';

/** In UTF-16 units, after normalization. */
const MAX_LENGTH = 255;

/** What a name must not contain, with the text for the error detail. */
const REJECTED: readonly [RegExp, string][] = [
  [/\//, 'a slash'],
  [/\\/, 'a backslash'],
  [/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/, 'a control character or a line break'],
  // They could make a name look like another one: gpj.exe like exe.jpg.
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'a character that changes the text direction'],
  [/[\p{Noncharacter_Code_Point}\p{Surrogate}]/u, 'an invalid Unicode character'],
];

/**
 * Validates the name of a file or folder. Returns it normalized (NFC), otherwise unchanged.
 * @throws DomainError invalid_value, param `name`
 */
export function readName(given: string): string {
  const name = given.normalize('NFC');
  const wrong = whatIsWrong(name);
  if (wrong !== undefined) throw new DomainError('invalid_value', `The name ${wrong}.`, { param: 'name' });
  return name;
}

/**
 * The key by which names are unique: the same for names that differ only in case or in the encoding of accents. Both conversions are needed, because
 * some letters are equal only in one case: "ß" and "SS", "ſ" and "S", and "ẞ" only after "ß". The key is stored, so a change needs a migration.
 */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

function whatIsWrong(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (name === '.' || name === '..') return 'cannot be "." or ".."';
  const [, contained] = REJECTED.find(([pattern]) => pattern.test(name)) ?? [];
  if (contained !== undefined) return `contains ${contained}`;
  if (!isVisible(name)) return 'contains no visible character';
  if (name !== withoutInvisible(name)) return 'contains an invisible character';
  return name === name.trim() ? undefined : 'starts or ends with a space';
}
