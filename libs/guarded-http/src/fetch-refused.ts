/** Why a URL was not fetched, in words that a program may act on. */
export type RefusalReason =
  | 'bad_url'
  | 'bad_scheme'
  | 'credentials_in_url'
  | 'port_not_allowed'
  | 'address_not_public'
  | 'host_not_found'
  | 'unreachable'
  | 'bad_certificate'
  | 'bad_answer'
  | 'too_many_redirects'
  | 'insecure_redirect'
  | 'bad_encoding'
  | 'incomplete'
  | 'changed'
  | 'too_large'
  | 'too_slow'
  | 'no_answer'
  | 'timeout'
  | `status_${number}`;

/** The one error of the guarded client. `message` may be shown to the caller; the `cause` is for the operator alone. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
  readonly reason: RefusalReason;
  /** With `too_large`: what the server says the size is, in bytes, when it does. */
  readonly claimedBytes: number | undefined;

  constructor(reason: RefusalReason, cause?: unknown, claimedBytes?: number) {
    super(describe(reason), cause === undefined ? undefined : { cause });
    this.reason = reason;
    this.claimedBytes = claimedBytes;
  }
}

/** The same for an address inside, a name that is not there and a host that refuses: whoever asks for many learns nothing of a network that we see. */
const NOT_REACHED = 'The URL could not be fetched. It must point to a reachable host at a public address.';

const DESCRIPTIONS: Record<Exclude<RefusalReason, `status_${number}`>, string> = {
  bad_url: 'This is not a URL.',
  bad_scheme: 'The URL must be http or https.',
  credentials_in_url: 'The URL must not contain a user name or password.',
  port_not_allowed: 'The port of the URL must be 80, 443, 8080 or 8443.',
  address_not_public: NOT_REACHED,
  host_not_found: NOT_REACHED,
  unreachable: NOT_REACHED,
  bad_certificate: 'The host of the URL has no valid certificate.',
  bad_answer: 'The host of the URL did not return a valid HTTP response.',
  too_many_redirects: 'The URL redirects too many times.',
  insecure_redirect: 'The URL redirects from https to http.',
  bad_encoding: 'The response has an unsupported or invalid content encoding.',
  incomplete: 'The response ended before it was complete.',
  changed: 'The file changed while it was downloaded.',
  too_large: 'The response is larger than allowed.',
  too_slow: 'The response was too slow.',
  no_answer: 'The host of the URL did not respond in time.',
  timeout: 'The response took longer than allowed.',
};

function describe(reason: RefusalReason): string {
  if (reason in DESCRIPTIONS) return DESCRIPTIONS[reason as keyof typeof DESCRIPTIONS];
  return `The URL returned status ${reason.replace('status_', '')}.`;
}
