import type { FailureClass } from '@fanfare/connectors';

/** Why a delivery failed, as callers read it in `error_type`. */
export type ErrorType =
  | 'token_expired'
  | 'permission_denied'
  | 'validation_failed'
  | 'rate_limited'
  | 'duplicate_content'
  | 'media_failed'
  | 'platform_unavailable'
  | 'primary_failed'
  | 'other_target_failed'
  | 'too_late'
  | 'unknown_outcome';

export const ERROR_TYPES: Record<FailureClass, ErrorType> = {
  token_expired: 'token_expired',
  permission: 'permission_denied',
  validation: 'validation_failed',
  rate_limited: 'rate_limited',
  transient: 'platform_unavailable',
  duplicate: 'duplicate_content',
  media_processing_failed: 'media_failed',
};
