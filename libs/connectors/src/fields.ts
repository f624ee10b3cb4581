import { PlatformFailure } from './failure.ts';

/** What stands at `path` in an answer; undefined where any part of the way is missing. */
export function at(json: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? (value as Record<string | number, unknown>)[key] : undefined),
    json,
  );
}

export function stringAt(json: unknown, ...path: readonly (string | number)[]): string | undefined {
  const value = at(json, ...path);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberAt(json: unknown, ...path: readonly (string | number)[]): number | undefined {
  const value = at(json, ...path);
  return typeof value === 'number' ? value : undefined;
}

export function listAt(json: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const value = at(json, ...path);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/**
 * What a successful answer cannot do without.
 * @throws PlatformFailure `transient`, `unknown`: the platform said yes, but not to what
 */
export function requiredAt(json: unknown, ...path: readonly (string | number)[]): string {
  const value = stringAt(json, ...path);
  if (value === undefined) throw unreadable(`no ${path.join('.')} in the response`);
  return value;
}

/**
 * The body of a successful answer: every API of theirs answers with a JSON object. A page, half an answer and JSON of another shape are not its word.
 * @throws PlatformFailure `transient`, `unknown`
 */
export function objectIn({ json }: { readonly json: unknown }): object {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw unreadable('no JSON object');
  return json;
}

/** The same, of calls that may be answered with nothing at all. */
export function checkObjectOrNothing(response: { readonly json: unknown; readonly text: string }): void {
  if (response.text !== '') objectIn(response);
}

export function unreadable(reason: string): PlatformFailure {
  return new PlatformFailure('transient', "The platform's response could not be read.", {
    effect: 'unknown',
    detail: { reason },
  });
}

/** An address that people may be sent to, or undefined. */
export function webUrl(value: string | undefined): string | undefined {
  return value !== undefined && URL.canParse(value) && value.startsWith('https://') ? value : undefined;
}
