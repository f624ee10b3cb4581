/** Why a URL was not fetched, in words that a program may act on. */
export type RefusalReason =
  | 'bad_url'
  | 'bad_scheme'
  | 'credentials_in_url'
  | 'port_not_allowed'
  | 'address_not_public'
  | 'host_not_found'
  | 'unreachable'
  | 'too_many_redirects'
  | 'too_slow'
  | 'bad_encoding'
  | 'incomplete'
  | 'too_large'
  | 'timeout'
  | `status_${number}`;

/** The one error of the guarded client. `message` may be shown to the caller; the `cause` is for the operator alone. */
export class FetchRefused extends Error {
  override readonly name = 'FetchRefused';
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, cause?: unknown) {
    super(describe(reason), cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

const DESCRIPTIONS: Record<Exclude<RefusalReason, `status_${number}`>, string> = {
  bad_url: 'This is not a URL.',
  bad_scheme: 'Only http and https URLs are fetched.',
  credentials_in_url: 'URLs that carry a user name or password are not fetched.',
  port_not_allowed: 'Only the ports 80, 443, 8080 and 8443 are fetched from.',
  address_not_public: 'The URL does not lead to a public address.',
  host_not_found: 'The host of the URL was not found.',
  unreachable: 'The host of the URL could not be reached, or the connection broke.',
  too_many_redirects: 'The URL redirects too often.',
  bad_encoding: 'The answer is compressed in a way that is not read here, or badly.',
  incomplete: 'The answer ended before it was complete.',
  too_large: 'The answer is larger than allowed.',
  timeout: 'The answer took longer than allowed.',
  too_slow: 'The answer came too slowly.',
};

function describe(reason: RefusalReason): string {
  if (reason in DESCRIPTIONS) return DESCRIPTIONS[reason as keyof typeof DESCRIPTIONS];
  return `The URL answered with status ${reason.replace('status_', '')}.`;
}
