import type { PlatformFailure } from '../calls/failure.ts';
import { publishingFailure, tiktokFailure } from './errors.ts';

const minute = 60_000;
const day = 24 * 3_600_000;
const response = (status: number, code: string) =>
  tiktokFailure({ status, headers: {}, json: { data: {}, error: { code, message: 'In words', log_id: 'log-1' } }, text: '' });

test.each([
  [401, 'access_token_invalid', 'token_expired', 'rejected', undefined],
  [401, 'access_token_expired', 'token_expired', 'rejected', undefined],
  [401, 'scope_not_authorized', 'permission', 'rejected', undefined],
  [401, 'scope_permission_missed', 'permission', 'rejected', undefined],
  [403, 'unaudited_client_can_only_post_to_private_accounts', 'permission', 'rejected', undefined],
  [403, 'spam_risk_user_banned_from_posting', 'permission', 'rejected', undefined],
  [403, 'url_ownership_unverified', 'validation', 'rejected', undefined],
  [403, 'privacy_level_option_mismatch', 'validation', 'rejected', undefined],
  [400, 'invalid_param', 'validation', 'rejected', undefined],
  [400, 'invalid_params', 'validation', 'rejected', undefined],
  [400, 'invalid_file_upload', 'validation', 'rejected', undefined],
  [400, 'app_version_check_failed', 'validation', 'rejected', undefined],
  [403, 'spam_risk_too_many_posts', 'rate_limited', 'rejected', day],
  [403, 'spam_risk_too_many_pending_share', 'rate_limited', 'rejected', day],
  [403, 'reached_active_user_cap', 'rate_limited', 'rejected', day],
  [429, 'rate_limit_exceeded', 'rate_limited', 'rejected', minute],
  [500, 'internal_error', 'transient', 'unknown', undefined],
  [200, 'internal_error', 'transient', 'unknown', undefined],
  [200, 'access_token_invalid', 'token_expired', 'rejected', undefined],
  [200, 'spam_risk_too_many_posts', 'rate_limited', 'rejected', day],
  [401, 'something_new', 'token_expired', 'rejected', undefined],
  [403, 'something_new', 'validation', 'rejected', undefined],
  [429, 'something_new', 'rate_limited', 'rejected', minute],
  [503, 'something_new', 'transient', 'unknown', undefined],
  [403, 'constructor', 'validation', 'rejected', undefined],
])('status %d, %s is %s, %s', (status, code, failureClass, effect, retryAfterMs) => {
  const failure = response(status, code);
  expect(failure).toMatchObject({
    class: failureClass,
    effect,
    message: expect.stringContaining('In words') as string,
    detail: { status, code, log_id: 'log-1' },
  });
  expect(failure.retryAfterMs).toBe(retryAfterMs);
});

test.each([
  ['auth_removed', 'token_expired', undefined],
  ['internal', 'transient', undefined],
  ['file_format_check_failed', 'media_processing_failed', undefined],
  ['duration_check_failed', 'media_processing_failed', undefined],
  ['frame_rate_check_failed', 'media_processing_failed', undefined],
  ['picture_size_check_failed', 'media_processing_failed', undefined],
  ['video_bitrate_check_failed', 'media_processing_failed', undefined],
  ['video_pull_failed', 'transient', 1_000],
  ['photo_pull_failed', 'transient', 1_000],
  ['publish_cancelled', 'validation', undefined],
  ['spam_risk_text', 'validation', undefined],
  ['spam_risk', 'validation', undefined],
  ['spam_risk_too_many_posts', 'rate_limited', day],
  ['something_new', 'media_processing_failed', undefined],
  ['constructor', 'media_processing_failed', undefined],
])('a post that TikTok gives up for %s is %s, and can be sent again', (reason, failureClass, retryAfterMs) => {
  const failure = publishingFailure(reason, { taskId: '1', committed: true });
  expect(failure).toMatchObject({ class: failureClass, effect: 'rejected', detail: { fail_reason: reason }, retryFrom: { rebuilds: 1 } });
  expect(failure.message).toContain(reason);
  expect(failure.retryAfterMs).toBe(retryAfterMs);
});

test('internal is retried once', () => {
  expect(publishingFailure('internal', { taskId: '2', rebuilds: 1 }).class).toBe('media_processing_failed');
});

test.each(['video_pull_failed', 'photo_pull_failed'])('%s is retried for some minutes: TikTok could not reach us', (reason) => {
  const after = (rebuilds: number) => publishingFailure(reason, { taskId: '2', rebuilds });
  expect(after(5)).toMatchObject({ class: 'transient', retryAfterMs: 32_000, retryFrom: { rebuilds: 6 } });
  expect(after(8).class).toBe('media_processing_failed');
});

test.each<[string, number, unknown]>([
  ['a page of a proxy', 403, undefined],
  ['another success', 200, { ok: true }],
  ['a success that says nothing', 200, {}],
  ['a status that belies its code', 404, { error: { code: 'ok' } }],
  ['a redirect', 302, undefined],
])('%s is not a response of the API: the outcome of the request is unknown', (_what, status, json) => {
  const failure: PlatformFailure = tiktokFailure({ status, headers: {}, json, text: '<html>' });
  expect(failure).toMatchObject({ class: 'transient', effect: 'unknown' });
});

test.each([
  [403, 'url_ownership_unverified', 'url_prefix_not_verified'],
  [403, 'reached_active_user_cap', 'active_user_cap'],
  [403, 'unaudited_client_can_only_post_to_private_accounts', 'app_not_audited'],
])('%d %s is for operators', (status, code, operator) => {
  expect(response(status, code).detail).toMatchObject({ operator });
});
