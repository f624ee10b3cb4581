import type { FetchError, FetchErrorReason } from '@fanfare/guarded-http';

/** Why an attempt failed, for people. @param failure the status of a response, or why there was none */
export function inWords(failure: number | FetchError): string {
  if (typeof failure === 'number') return ofStatus(failure);
  if (failure.reason === 'bad_certificate') return ofCertificate((failure.cause as NodeJS.ErrnoException | undefined)?.code ?? '');
  // undici does not continue after it, although HTTP permits a server to send it at any time.
  if (failure.reason === 'unreachable' && (failure.cause as Error | undefined)?.message === 'bad response')
    return 'The response began with 100 Continue, which the request did not ask for.';
  // It was connected: a private address is never connected to.
  if (failure.reason === 'unreachable' && CLOSED.has((failure.cause as NodeJS.ErrnoException | undefined)?.code ?? ''))
    return 'The endpoint closed the connection without a response.';
  return DESCRIPTIONS[failure.reason] ?? failure.message;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

function ofStatus(status: number): string {
  if (REDIRECTS.has(status))
    return `The endpoint responded with ${status}. Redirects are not followed: change the URL of the endpoint to the new address.`;
  if (status === 410) return 'The endpoint responded with 410 Gone.';
  return `The endpoint responded with ${status}. Only 200 to 299 counts as success.`;
}

/** The same text whether a name, an address or a port does not exist, so that nobody can scan our network. */
const NOT_REACHED = 'The endpoint could not be reached. Its URL must point to a server that listens at a public address.';

/** Codes of undici and Node for a connection that was established. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

const DESCRIPTIONS: Readonly<Partial<Record<FetchErrorReason, string>>> = {
  address_not_public: NOT_REACHED,
  host_not_found: NOT_REACHED,
  unreachable: NOT_REACHED,
  no_response: 'The endpoint did not respond within 15 seconds.',
  timeout: 'The endpoint did not respond within 15 seconds.',
  bad_response: 'The response was not valid HTTP.',
};

const CERTIFICATES: readonly [RegExp, string][] = [
  [/EXPIRED/, 'has expired'],
  [/NOT_YET_VALID/, 'is not valid yet'],
  [/ALTNAME/, 'is for another host name'],
  [/SELF_SIGNED/, 'is self-signed'],
  [
    /UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/,
    'was not issued by a known authority, or the server does not send the intermediate certificate',
  ],
];

function ofCertificate(code: string): string {
  const found = CERTIFICATES.find(([pattern]) => pattern.test(code))?.[1] ?? 'is not valid';
  return `The TLS certificate of the endpoint ${found}.`;
}
