/** Why a URL was not fetched: codes for programs. */
export type FetchErrorReason =
  | 'bad_url'
  | 'bad_scheme'
  | 'credentials_in_url'
  | 'port_not_allowed'
  | 'address_not_public'
  | 'host_not_found'
  | 'unreachable'
  | 'bad_certificate'
  | 'bad_response'
  | 'too_many_redirects'
  | 'insecure_redirect'
  | 'bad_encoding'
  | 'incomplete'
  | 'changed'
  | 'too_large'
  | 'too_slow'
  | 'no_response'
  | 'timeout'
  | `status_${number}`;

/** Every failure of the guarded client. `message` is for the caller, `cause` only for the operator. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly reason: FetchErrorReason;
  /** With `too_large`: the size in bytes that the server declares, if it does. */
  readonly claimedBytes: number | undefined;

  constructor(reason: FetchErrorReason, cause?: unknown, claimedBytes?: number) {
    super(describe(reason), cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.claimedBytes = claimedBytes;
  }
}

/** The same message for a private address, an unknown host and a closed port, so that nobody can scan our network by importing URLs. */
const NOT_REACHED = 'The URL could not be fetched. It must point to a reachable host at a public address.';

const DESCRIPTIONS: Record<Exclude<FetchErrorReason, `status_${number}`>, string> = {
  bad_url: 'The URL is not valid.',
  bad_scheme: 'The URL must be http or https.',
  credentials_in_url: 'The URL must not contain a user name or password.',
  port_not_allowed: 'The port of the URL must be 80, 443, 8080 or 8443.',
  address_not_public: NOT_REACHED,
  host_not_found: NOT_REACHED,
  unreachable: NOT_REACHED,
  bad_certificate: 'The host of the URL does not have a valid certificate.',
  bad_response: 'The host of the URL did not return a valid HTTP response.',
  too_many_redirects: 'The URL redirects too many times.',
  insecure_redirect: 'The URL redirects from https to http.',
  bad_encoding: 'The response has an unsupported or invalid content encoding.',
  incomplete: 'The response ended before it was complete.',
  changed: 'The file changed while it was downloaded.',
  too_large: 'The response is larger than allowed.',
  too_slow: 'The response was too slow.',
  no_response: 'The host of the URL did not respond in time.',
  timeout: 'The response took longer than allowed.',
};

function describe(reason: FetchErrorReason): string {
  if (reason in DESCRIPTIONS) return DESCRIPTIONS[reason as keyof typeof DESCRIPTIONS];
  return `The URL returned status ${reason.replace('status_', '')}.`;
}
