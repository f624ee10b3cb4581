import { PlatformFailure } from './failure.ts';

/** The value at `path` in a response; undefined if any part of the path is missing. */
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
 * A value that a successful response must contain.
 * @throws PlatformFailure `transient`, `unknown`: the platform reported success, but not of what
 */
export function requiredAt(json: unknown, ...path: readonly (string | number)[]): string {
  const value = stringAt(json, ...path);
  if (value === undefined) throw unreadable(`no ${path.join('.')} in the response`);
  return value;
}

/**
 * The body of a successful response, which is a JSON object in all platforms' APIs. HTML, half a response and other JSON do not come from the API.
 * @throws PlatformFailure `transient`, `unknown`
 */
export function objectIn({ json }: { readonly json: unknown }): object {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw unreadable('no JSON object');
  return json;
}

/** The same, for calls that may have an empty response. */
export function checkObjectOrNothing(response: { readonly json: unknown; readonly text: string }): void {
  if (response.text !== '') objectIn(response);
}

/** What happened, for people, if an unsuccessful response has no words of its own. Pages (HTML) are not quoted. */
export const wordless = ({ text }: { readonly text: string }, status: number): string =>
  text.trimStart().startsWith('<')
    ? `The platform returned a page instead of data (status ${status}).`
    : `The platform responded with status ${status}.`;

export function unreadable(reason: string): PlatformFailure {
  return new PlatformFailure('transient', "The platform's response could not be read.", {
    effect: 'unknown',
    detail: { reason },
  });
}

/** An https URL that people may be sent to, or undefined. */
export function webUrl(value: string | undefined): string | undefined {
  return value !== undefined && URL.canParse(value) && value.startsWith('https://') ? value : undefined;
}
