import type { IntegrationDocument } from '../store/integrations.ts';

/**
 * An account of which we have no access any more: who it is and how it was set up stays, for when it is connected again. A refresh that is under way loses its
 * lock, and with it what it gets.
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
