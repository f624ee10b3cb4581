import type { PublishResult, PublishWait, Removal } from '@fanfare/contracts/content';
import { isoTime } from './required.ts';

export function publishResultFromProto(result: PublishResult) {
  return {
    platform: result.platform,
    status: result.status.replace('PUBLISH_RESULT_STATUS_', '').toLowerCase(),
    publish_id: result.publishId ?? null,
    post_url: result.postUrl ?? null,
    error_type: result.errorType ?? null,
    error_message: result.errorMessage ?? null,
    integration_id: result.integrationId,
    updated_at: isoTime(result.updatedAt),
    lag_ms: result.lagMs ?? null,
    attempts: result.attempts,
    warnings: result.warnings,
    waiting: result.waiting ? waitingFromProto(result.waiting) : null,
    removal: result.removal ? removalFromProto(result.removal, result.postUrl) : null,
  };
}

const waitingFromProto = ({ reason, until, message }: PublishWait) => ({ reason, until: until ? isoTime(until) : null, message });

/** With the link where a person can remove the post, if we did not. */
function removalFromProto({ status, errorType, detail, updatedAt }: Removal, postUrl: string | undefined) {
  const isLeft = status === 'REMOVAL_STATUS_FAILED' || status === 'REMOVAL_STATUS_NOT_SUPPORTED';
  return {
    status: status.replace('REMOVAL_STATUS_', '').toLowerCase(),
    error_type: errorType ?? null,
    detail: detail ?? null,
    url: isLeft ? (postUrl ?? null) : null,
    updated_at: isoTime(updatedAt),
  };
}
