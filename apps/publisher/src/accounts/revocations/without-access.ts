import type { IntegrationDocument } from '../store/integrations.ts';

/**
 * An account without access: its identity and settings stay for a reconnect. A refresh in progress loses its
 * lock, so that its tokens are not stored.
 */
export function withoutAccess(current: IntegrationDocument): IntegrationDocument {
  const {
    reconnect_by: _,
    refreshing_until: __,
    token_expires_at: ___,
    token_check_at: ____,
    refresh_failures: _____,
    last_error: ______,
    ...kept
  } = current;
  return { ...kept, tokens: '' };
}
