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
const NOT_REACHED = 'Nothing could be fetched: the URL has to lead to a host that answers at a public address.';

const DESCRIPTIONS: Record<Exclude<RefusalReason, `status_${number}`>, string> = {
  bad_url: 'This is not a URL.',
  bad_scheme: 'Only http and https URLs are fetched.',
  credentials_in_url: 'URLs that carry a user name or password are not fetched.',
  port_not_allowed: 'Only the ports 80, 443, 8080 and 8443 are fetched from.',
  address_not_public: NOT_REACHED,
  host_not_found: NOT_REACHED,
  unreachable: NOT_REACHED,
  bad_certificate: 'The host of the URL has no valid certificate.',
  bad_answer: 'The host of the URL does not answer as HTTP asks.',
  too_many_redirects: 'The URL redirects too often.',
  insecure_redirect: 'The URL redirects from https to http.',
  bad_encoding: 'The answer is compressed in a way that is not read here, or badly.',
  incomplete: 'The answer ended before it was complete.',
  changed: 'The file changed while it was fetched.',
  too_large: 'The answer is larger than allowed.',
  too_slow: 'The answer came too slowly.',
  no_answer: 'The host of the URL did not answer in time.',
  timeout: 'The answer took longer than allowed.',
};

function describe(reason: RefusalReason): string {
  if (reason in DESCRIPTIONS) return DESCRIPTIONS[reason as keyof typeof DESCRIPTIONS];
  return `The URL answered with status ${reason.replace('status_', '')}.`;
}
