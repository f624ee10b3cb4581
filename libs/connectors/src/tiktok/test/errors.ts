import { DAY, type ErrorRow, type Errors, MINUTE, row } from '../../../test/errors.ts';

const tiktokRow = (status: number, code: string, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}) =>
  row(status, { data: {}, error: { code, message: 'In words', log_id: '1' } }, ends, more);

export const errors: Errors = {
  commit: { operation: 'tiktok.init_photos', media: 'image', options: { privacy_level: 'SELF_ONLY' } },
  rows: [
    ...['access_token_invalid', 'access_token_expired'].map((code) => tiktokRow(401, code, 'token_expired')),
    ...['scope_not_authorized', 'scope_permission_missed'].map((code) => tiktokRow(401, code, 'permission')),
    tiktokRow(403, 'unaudited_client_can_only_post_to_private_accounts', 'permission'),
    tiktokRow(403, 'spam_risk_user_banned_from_posting', 'permission'),
    tiktokRow(403, 'url_ownership_unverified', 'validation'),
    tiktokRow(403, 'privacy_level_option_mismatch', 'validation'),
    ...['invalid_param', 'invalid_params', 'invalid_file_upload', 'app_version_check_failed'].map((code) =>
      tiktokRow(400, code, 'validation'),
    ),
    ...['spam_risk_too_many_posts', 'spam_risk_too_many_pending_share', 'reached_active_user_cap'].map((code) =>
      tiktokRow(403, code, 'waits', { waitMs: DAY }),
    ),
    tiktokRow(429, 'rate_limit_exceeded', 'waits', { waitMs: MINUTE }),
    tiktokRow(500, 'internal_error', 'reconciles'),
  ],
};
