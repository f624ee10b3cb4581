import type { PlatformFailure, Step } from '@fanfare/connectors';
import type { Details } from '@fanfare/ledger';
import { messageOf } from './message-of.ts';

/** Something that happened to a delivery: an entry of the timeline of its post, before it is chained. */
export interface DeliveryEntry {
  readonly kind: string;
  readonly details: Details;
}

/** A call to the platform, and what it responded. */
export const stepEntry = ({ name, kind }: Pick<Step, 'name' | 'kind'>, outcome: string, failure?: PlatformFailure): DeliveryEntry => ({
  kind: 'step',
  details: { step: name, step_kind: kind, outcome, message: failure && shortMessage(failure) },
});

export const waitEntry = (reason: string, until: Date | undefined, message?: string): DeliveryEntry => ({
  kind: 'waiting',
  details: { reason, until: until?.toISOString(), message: message && withoutQueries(message) },
});

/** What a wait is recognized by when it is repeated; undefined for other entries. */
export const waitKey = (entry: DeliveryEntry | undefined): string | undefined =>
  entry?.kind === 'waiting' ? JSON.stringify([entry.details['reason'], entry.details['message'] ?? null]) : undefined;

export const attemptEntry = (attempt: number, deadlineAt: Date): DeliveryEntry => ({
  kind: 'attempt',
  details: { attempt, deadline_at: deadlineAt.toISOString() },
});

/** A look at the platform after the response to a commit was lost. */
export const lookEntry = (
  finding: 'found' | 'not_found' | 'not_published' | 'published' | 'unreadable' | 'not_possible',
  candidates: number,
  failure?: PlatformFailure,
): DeliveryEntry => ({ kind: 'looked_up', details: { finding, candidates, message: failure && shortMessage(failure) } });

export const tokenEntry = (failure?: PlatformFailure): DeliveryEntry => ({
  kind: 'token_refreshed',
  details: { succeeded: failure === undefined, message: failure && shortMessage(failure) },
});

export const begunEntry: DeliveryEntry = { kind: 'delivery_begun', details: {} };
export const handedOverEntry: DeliveryEntry = { kind: 'handed_over', details: {} };

/** What an operator did. The reason is in the log: the timeline is the customer's. */
export const releasedEntry: DeliveryEntry = { kind: 'released', details: {} };
export const retriedEntry: DeliveryEntry = { kind: 'retried', details: {} };
/** The database was restored from a backup, and the post may have been sent since. */
export const restoredEntry = (since: Date): DeliveryEntry => ({ kind: 'restored', details: { backup_at: since.toISOString() } });

/** The result, as the row shows it. */
export function endEntry(row: {
  readonly status?: string | undefined;
  readonly publish_id?: string | undefined;
  readonly post_url?: string | undefined;
  readonly published_at?: Date | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly error_type?: string | undefined;
  readonly error_message?: string | undefined;
}): DeliveryEntry {
  const { publish_id, post_url, published_at, warnings = [], error_type, error_message = '' } = row;
  return row.status === 'DELIVERY_STATUS_SUCCESS'
    ? {
        kind: 'published',
        details: { publish_id, post_url, published_at: published_at?.toISOString(), warnings: warnings.map(withoutQueries) },
      }
    : { kind: 'failed', details: { error_type, error_message: withoutQueries(error_message) } };
}

/** Whether a process died or lost its lease: after a release there is one lease before the next write. */
export function takeOverEntries({ fence, released_fence }: { readonly fence: number; readonly released_fence?: number }): DeliveryEntry[] {
  const leases_lost = released_fence === undefined ? 0 : fence - released_fence - 1;
  return leases_lost > 0 ? [{ kind: 'taken_over', details: { leases_lost } }] : [];
}

/** What a platform responded, without what nobody else must see. */
export const shortMessage = (failure: PlatformFailure): string => withoutQueries(messageOf(failure));

/** Tokens are masked already. The query of a URL may be a signature, such as that of an upload, which nobody else must see. */
export const withoutQueries = (text: string): string => text.replace(/(\bhttps?:\/\/[^\s"'<>?#]+)[?#][^\s"'<>]*/gi, '$1?***');
