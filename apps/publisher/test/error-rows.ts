import type { Platform } from '@fanfare/connectors';
import type { ErrorType } from '../src/deliveries/domain/error-type.ts';

/** The platform's response to the call that would publish, and what follows for the delivery. */
export interface ErrorRow {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * - an error type: the delivery fails for good with that type
   * - `waits`: it is retried after `waitMs`
   * - `reconciles`: nothing is sent again before the platform was read
   */
  readonly ends: ErrorType | 'waits' | 'reconciles';
  /** In milliseconds; without it the engine's own pause after a first failure, a second at most. */
  readonly waitMs?: number;
  /** How many calls in a row get this response; one if absent. */
  readonly times?: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const row = (status: number, body: object, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}): ErrorRow => ({
  status,
  body,
  ends,
  ...more,
});

const graph = (code: number, error_subcode?: number, message = 'In words', more: object = {}) => ({
  error: { message, type: 'OAuthException', code, ...(error_subcode !== undefined && { error_subcode }), ...more },
});
const graphRow = (
  ends: ErrorRow['ends'],
  [code, subcode, message]: readonly [number, (number | undefined)?, string?],
  more: Partial<ErrorRow> = {},
) => row(400, graph(code, subcode, message), ends, more);
const inSevenMinutes = {
  headers: { 'x-business-use-case-usage': '{"1":[{"type":"pages","estimated_time_to_regain_access":7}]}' },
  waitMs: 7 * MINUTE,
};
const untilTheHour = { headers: { date: 'Sat, 21 Nov 2026 10:48:00 GMT' }, waitMs: 12 * MINUTE };

const facebook: ErrorRow[] = [
  ...[[190, 458], [190, 459], [190, 464], [190, 460], [190, 463], [190, 467], [190, 492], [102]].map((one) =>
    graphRow('token_expired', one as [number]),
  ),
  graphRow('validation_failed', [190, undefined, 'This method must be called with a Page Access Token']),
  ...[[10], [3], [200], [283], [1404078], [4854002]].map((one) => graphRow('permission_denied', one as [number])),
  ...[
    [100],
    [100, 1609005],
    [100, 2061006],
    [1349125],
    [36001],
    [1366046],
    [100, 33],
    [1346003],
    [1404102],
    [341],
    [3001],
    [1504028],
    [12],
  ].map((one) => graphRow('validation_failed', one as [number])),
  ...[[4], [17], [32], [613], [80001]].map((one) => graphRow('waits', one as [number], untilTheHour)),
  graphRow('waits', [32], inSevenMinutes),
  ...[[368], [1390008], [1404112]].map((one) => graphRow('waits', one as [number], { waitMs: DAY })),
  row(500, graph(1), 'reconciles'),
  row(500, graph(2), 'reconciles'),
  row(503, graph(2, undefined, 'Service unavailable', { is_transient: true }), 'reconciles'),
  ...[
    [100, 1363047],
    [100, 1609010],
  ].map((one) => graphRow('reconciles', one as [number])),
  ...[[506], [1366051]].map((one) => graphRow('duplicate_content', one as [number])),
  ...[
    [6000, 1363040],
    [6000, 1363127],
    [6000, 1363128],
    [6000, 1363129],
  ].map((one) => graphRow('media_failed', one as [number])),
];

const instagram: ErrorRow[] = [
  graphRow('token_expired', [190, 463]),
  graphRow('token_expired', [100, undefined, 'The session has been invalidated']),
  graphRow('token_expired', [100, 33]),
  ...[[10], [200], [25, 2207050]].map((one) => graphRow('permission_denied', one as [number])),
  graphRow('permission_denied', [100, undefined, 'The user is not an Instagram Business']),
  ...[
    [-2, 2207003],
    [9004, 2207052],
    [100, 2207077],
    [-2, 2207020],
    [24, 2207008],
    [24, 2207006],
  ].map((one) => graphRow('waits', one as [number])),
  ...[[-1, 2207001], [-1, 2207032], [-1, 2207053], [100, 2207082], [1], [2]].map((one) => graphRow('reconciles', one as [number])),
  ...[
    [1, 2207057],
    [100, 2207023],
    [100, 2207028],
    [100, 2207040],
    [36000, 2207004],
    [36001, 2207005],
    [36003, 2207009],
    [36004, 2207010],
    [100, 2207035],
    [100, 2207036],
    [100, 2207037],
    [100, 2207081],
  ].map((one) => graphRow('validation_failed', one as [number])),
  graphRow('media_failed', [352, 2207026]),
  graphRow('waits', [9007, 2207027], { waitMs: 10 * SECOND }),
  graphRow('waits', [9, 2207042], { waitMs: HOUR }),
  graphRow('reconciles', [4, 2207051]),
  ...[[4], [17], [32], [613], [80002]].map((one) => graphRow('waits', one as [number], untilTheHour)),
];

const linkedinRow = (status: number, ends: ErrorRow['ends'], body: object, more: Partial<ErrorRow> = {}) =>
  row(status, { status, message: 'In words', ...body }, ends, more);
const linkedin: ErrorRow[] = [
  ...['EXPIRED_ACCESS_TOKEN', 'REVOKED_ACCESS_TOKEN', 'INVALID_ACCESS_TOKEN'].map((code) => linkedinRow(401, 'token_expired', { code })),
  ...[65_600, 65_605].map((serviceErrorCode) => linkedinRow(401, 'token_expired', { serviceErrorCode })),
  linkedinRow(403, 'permission_denied', { code: 'ACCESS_DENIED' }),
  linkedinRow(403, 'permission_denied', { message: 'Not enough permissions to access: posts.CREATE' }),
  linkedinRow(403, 'permission_denied', { serviceErrorCode: 65_604 }),
  ...['MISSING_FIELD', 'FIELD_LENGTH_TOO_LONG', 'ILLEGAL_ARGUMENT', 'INVALID_URN_TYPE'].map((code) =>
    linkedinRow(400, 'validation_failed', { code }),
  ),
  linkedinRow(422, 'validation_failed', { message: 'ERROR :: /colour :: unrecognized field found but not allowed' }),
  linkedinRow(422, 'validation_failed', { message: 'ERROR :: /author :: field is required but not found' }),
  ...['MEDIA_ASSET_WAITING_UPLOAD', 'MEDIA_ASSET_PROCESSING'].map((code) => linkedinRow(400, 'waits', { code })),
  linkedinRow(400, 'media_failed', { code: 'MEDIA_ASSET_PROCESSING_FAILED' }),
  linkedinRow(422, 'duplicate_content', { code: 'DUPLICATE_POST' }),
  linkedinRow(422, 'duplicate_content', { message: 'Content is a duplicate of another post' }),
  linkedinRow(426, 'validation_failed', { code: 'NONEXISTENT_VERSION' }, { times: 4 }),
  linkedinRow(400, 'validation_failed', { code: 'VERSION_MISSING' }),
  linkedinRow(429, 'waits', { code: 'TOO_MANY_REQUESTS' }, { headers: { date: 'Sat, 21 Nov 2026 21:30:00 GMT' }, waitMs: 2.5 * HOUR }),
  linkedinRow(409, 'waits', { code: 'CONFLICT' }),
  linkedinRow(400, 'waits', { message: 'Unable to obtain activity' }),
  linkedinRow(500, 'reconciles', { code: 'INTERNAL_SERVER_ERROR' }),
  linkedinRow(503, 'reconciles', {}),
];

const problem = (status: number, ends: ErrorRow['ends'], type: string, detail: string, more: Partial<ErrorRow> = {}) =>
  row(status, { type: type === '' ? 'about:blank' : `https://api.x.com/2/problems/${type}`, title: 'No', detail, status }, ends, more);
const atTenPastThree = { date: 'Sat, 21 Nov 2026 15:00:00 GMT', 'x-rate-limit-reset': String(Date.parse('2026-11-21T15:10:00Z') / 1_000) };
const x: ErrorRow[] = [
  problem(401, 'token_expired', '', 'Unauthorized'),
  problem(403, 'permission_denied', 'client-forbidden', 'No'),
  problem(403, 'permission_denied', 'not-authorized-for-resource', 'No'),
  problem(403, 'permission_denied', '', 'Unsupported Authentication'),
  problem(403, 'permission_denied', '', 'You are not permitted to access this feature'),
  problem(403, 'permission_denied', '', 'You are not permitted to perform this action.'),
  problem(403, 'duplicate_content', '', 'You are not allowed to create a Tweet with duplicate content.'),
  problem(400, 'validation_failed', 'invalid-request', 'One or more parameters are invalid'),
  problem(400, 'validation_failed', '', 'maximum of 4 items'),
  problem(402, 'permission_denied', 'credits', 'CreditsDepleted'),
  problem(429, 'waits', '', 'Too Many Requests', { headers: atTenPastThree, waitMs: 10 * MINUTE }),
  problem(429, 'waits', 'rate-limit-exceeded', 'Slow down', { waitMs: 15 * MINUTE }),
  problem(403, 'waits', 'usage-capped', 'Monthly cap', { waitMs: DAY }),
  problem(429, 'waits', 'usage-capped', 'Monthly cap', { waitMs: DAY }),
  ...[500, 502, 503, 504].map((status) => problem(status, 'reconciles', '', 'Over capacity')),
];

const tiktokRow = (status: number, code: string, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}) =>
  row(status, { data: {}, error: { code, message: 'In words', log_id: '1' } }, ends, more);
const tiktok: ErrorRow[] = [
  ...['access_token_invalid', 'access_token_expired'].map((code) => tiktokRow(401, code, 'token_expired')),
  ...['scope_not_authorized', 'scope_permission_missed'].map((code) => tiktokRow(401, code, 'permission_denied')),
  tiktokRow(403, 'unaudited_client_can_only_post_to_private_accounts', 'permission_denied'),
  tiktokRow(403, 'spam_risk_user_banned_from_posting', 'permission_denied'),
  tiktokRow(403, 'url_ownership_unverified', 'validation_failed'),
  tiktokRow(403, 'privacy_level_option_mismatch', 'validation_failed'),
  ...['invalid_param', 'invalid_params', 'invalid_file_upload', 'app_version_check_failed'].map((code) =>
    tiktokRow(400, code, 'validation_failed'),
  ),
  ...['spam_risk_too_many_posts', 'spam_risk_too_many_pending_share', 'reached_active_user_cap'].map((code) =>
    tiktokRow(403, code, 'waits', { waitMs: DAY }),
  ),
  tiktokRow(429, 'rate_limit_exceeded', 'waits', { waitMs: MINUTE }),
  tiktokRow(500, 'internal_error', 'reconciles'),
];

const pinterestRow = (status: number, code: number, message: string, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}) =>
  row(status, { code, message }, ends, more);
const pinterest: ErrorRow[] = [
  pinterestRow(401, 2, 'Authentication failed.', 'token_expired'),
  pinterestRow(403, 29, 'You are not permitted to access that resource.', 'permission_denied'),
  pinterestRow(403, 7, 'Not permitted.', 'permission_denied'),
  pinterestRow(400, 1, "Invalid request: 'abc' does not match '^\\\\d+$'", 'validation_failed'),
  pinterestRow(400, 1, 'Invalid request: items is too long, maxItems=5', 'validation_failed'),
  pinterestRow(400, 235, 'cover_image_url: one cover is required', 'validation_failed'),
  pinterestRow(404, 40, 'Board not found.', 'validation_failed'),
  pinterestRow(400, 88, 'Sorry! We blocked this link because it may lead to spam.', 'validation_failed'),
  pinterestRow(400, 235, 'Unable to reach the URL.', 'waits'),
  pinterestRow(409, 0, 'This already exists.', 'duplicate_content'),
  pinterestRow(409, 0, 'Board section conflict.', 'waits'),
  pinterestRow(429, 8, 'You have exceeded your rate limit.', 'waits', { headers: { 'x-ratelimit-reset': '42' }, waitMs: 42 * SECOND }),
  pinterestRow(500, 11, 'Something went wrong.', 'reconciles'),
  pinterestRow(503, 0, 'Over capacity.', 'reconciles'),
];

const google = (code: number, more: object, message = 'In words') => ({ error: { code, message, ...more } });
const youtubeRow = (status: number, reason: string, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}) =>
  row(status, google(status, { errors: [{ domain: 'youtube', reason, message: 'In words' }] }), ends, more);
const californianMorning = { headers: { date: 'Sat, 21 Nov 2026 22:00:00 GMT' }, waitMs: 10 * HOUR };
const youtube: ErrorRow[] = [
  youtubeRow(401, 'authError', 'token_expired'),
  row(401, google(401, { status: 'UNAUTHENTICATED' }), 'token_expired'),
  youtubeRow(401, 'youtubeSignupRequired', 'permission_denied'),
  ...['insufficientPermissions', 'forbidden', 'accountClosed'].map((reason) => youtubeRow(403, reason, 'permission_denied')),
  ...[
    'invalidTitle',
    'invalidDescription',
    'invalidTags',
    'invalidCategoryId',
    'invalidPublishAt',
    'invalidVideoMetadata',
    'mediaBodyRequired',
  ].map((reason) => youtubeRow(400, reason, 'validation_failed')),
  ...['imageFormatUnsupported', 'imageTooTall', 'imageTooWide'].map((reason) => youtubeRow(400, reason, 'validation_failed')),
  youtubeRow(413, 'uploadTooLarge', 'validation_failed'),
  ...[400, 403].map((status) => youtubeRow(status, 'uploadLimitExceeded', 'waits', californianMorning)),
  ...['quotaExceeded', 'dailyLimitExceeded'].map((reason) => youtubeRow(403, reason, 'waits', californianMorning)),
  ...['rateLimitExceeded', 'userRateLimitExceeded'].map((reason) => youtubeRow(403, reason, 'waits', { waitMs: SECOND })),
  youtubeRow(429, 'tooMany', 'waits', { waitMs: SECOND }),
  ...[500, 502, 503, 504].map((status) => youtubeRow(status, 'backendError', 'reconciles')),
];

const businessRow = (code: number, status: string, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}, details: object[] = []) =>
  row(code, google(code, { status, ...(details.length > 0 && { details }) }), ends, more);
const google_business: ErrorRow[] = [
  businessRow(401, 'UNAUTHENTICATED', 'token_expired'),
  businessRow(403, 'PERMISSION_DENIED', 'permission_denied'),
  businessRow(400, 'INVALID_ARGUMENT', 'validation_failed'),
  businessRow(404, 'NOT_FOUND', 'validation_failed'),
  businessRow(409, 'ALREADY_EXISTS', 'duplicate_content'),
  businessRow(409, 'ABORTED', 'waits'),
  businessRow(429, 'RESOURCE_EXHAUSTED', 'waits', { waitMs: MINUTE }),
  businessRow(429, 'RESOURCE_EXHAUSTED', 'waits', { waitMs: 12 * SECOND }, [
    { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '12s' },
  ]),
  row(429, google(429, { status: 'RESOURCE_EXHAUSTED' }, 'Quota exceeded: quota 0 QPM'), 'permission_denied'),
  businessRow(500, 'INTERNAL', 'reconciles'),
  businessRow(503, 'UNAVAILABLE', 'reconciles'),
  businessRow(504, 'DEADLINE_EXCEEDED', 'reconciles'),
];

/** The error tables of the platforms' documentation, each row as the platform words it. */
export const errorRows = { facebook, google_business, instagram, linkedin, pinterest, tiktok, x, youtube } satisfies Record<
  Platform,
  ErrorRow[]
>;
