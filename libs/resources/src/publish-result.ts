import type { PublishResult, PublishWait } from '@fanfare/contracts/content';
import { isoTime } from './iso-time.ts';

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
  };
}

const waitingFromProto = ({ reason, until, message }: PublishWait) => ({ reason, until: until ? isoTime(until) : null, message });
