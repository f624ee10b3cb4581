import { DomainError } from '@fanfare/errors';
import { isVisible, withoutInvisible } from './invisible.ts';

/** UTF-16 units, after composition. */
const MAX_LENGTH = 255;

/** What a name must not hold, and how that is said. */
const REFUSED: readonly [RegExp, string][] = [
  [/\//, 'a slash'],
  [/\\/, 'a backslash'],
  [/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/, 'a control character or a line break'],
  // They would show a name as another one: gpj.exe as exe.jpg.
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, 'a character that changes the text direction'],
  [/[\p{Noncharacter_Code_Point}\p{Surrogate}]/u, 'an invalid Unicode character'],
];

/**
 * The name of a file or a folder, as it is stored: composed (NFC), otherwise as it was given.
 * @throws DomainError invalid_value, param `name`
 */
export function readName(given: string): string {
  const name = given.normalize('NFC');
  const wrong = whatIsWrong(name);
  if (wrong !== undefined) throw new DomainError('invalid_value', `The name ${wrong}.`, { param: 'name' });
  return name;
}

/**
 * Names that differ by case alone, or by how their accents are encoded, are the same. There and back, because letters meet in one case that do
 * not in the other: "ß" in "SS", "ſ" in "S", and "ẞ" only by way of "ß". What it gives is stored: a change needs a migration.
 */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');

function whatIsWrong(name: string): string | undefined {
  if (name === '') return 'is empty';
  if (name.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (name === '.' || name === '..') return 'cannot be "." or ".."';
  const [, contained] = REFUSED.find(([pattern]) => pattern.test(name)) ?? [];
  if (contained !== undefined) return `contains ${contained}`;
  if (!isVisible(name)) return 'contains no visible character';
  if (name !== withoutInvisible(name)) return 'contains an invisible character';
  return name === name.trim() ? undefined : 'starts or ends with a space';
}
