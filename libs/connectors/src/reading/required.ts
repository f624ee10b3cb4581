import { at, unreadable } from '../calls/fields.ts';

/**
 * A list that every successful response contains, even if nothing is in it: an empty object, or an error inside a success, says nothing about statistics.
 * @throws PlatformFailure `transient`
 */
export function requiredList(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = at(json, ...path);
  if (!Array.isArray(value)) throw unreadable(`no list ${path.join('.')} in the response`);
  return value as unknown[];
}

/** An object that every successful response contains. @throws PlatformFailure `transient` */
export function requiredObject(json: unknown, ...path: readonly (string | number)[]): object {
  const value = at(json, ...path);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(`no object ${path.join('.')} in the response`);
  return value;
}
