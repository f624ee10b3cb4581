import type { EndpointSecrets } from '../endpoints/endpoint.ts';

/** A shorter text would be found in responses by chance. */
const LEAST = 6;

/** What a request to the endpoint contains and its log must not. Of a header such as `Authorization: Bearer …` an endpoint may repeat only a part. */
export function secretsIn({ url, secret, formerSecrets = [], headers }: EndpointSecrets): string[] {
  const { pathname, search } = new URL(url);
  return [
    secret,
    ...formerSecrets.map((former) => former.secret),
    ...headers.flatMap(({ value }) => [value, ...value.split(/[\s,;=]+/)]),
    search.slice(1),
    pathname.slice(1),
  ];
}

/** A response without secrets, in case the endpoint repeats them. */
export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  // The longest first: a part of a secret must not be replaced before the whole.
  secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce<string>((rest, one) => (one.length >= LEAST ? rest.replaceAll(one, '[redacted]') : rest), text);
