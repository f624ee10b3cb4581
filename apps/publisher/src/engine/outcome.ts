import { connectorFor, type Content, type Published, type State } from '@fanfare/connectors';
import { handedOverEntry, type DeliveryEntry } from '../deliveries/domain/delivery-entries.ts';
import { CLOSED_UNTIL } from '../deliveries/store/closed-deliveries.ts';
import type { ErrorType } from '../deliveries/domain/error-type.ts';
import type { Change, DeliveryDocument, LeasedDelivery, Waiting, WaitingDocument } from '../deliveries/delivery.ts';
import type { QuotaFailure } from '../quotas/note-failure.ts';
import type { Run } from './run.ts';

/**
 * What the engine does next with a delivery. Code that decides returns one; `writeOutcome` alone writes it. Only two functions write a leased row before there
 * is an outcome: `begin` stores and emits that a delivery with media is processing, and `beginStep` stores that a commit or a visible follow-up begins.
 *
 * - `continue`: this process continues with the next turn.
 * - `wait`: the lease is released, with a time to continue.
 * - `wait_for_others`: only the commit is left, and the lease is released until the other deliveries of the publication let it be made public.
 * - `end`: nothing is left to do.
 */
export type Outcome = Continue | Wait | WaitForOthers | End;

interface Decided {
  /** Changes that are written with it. */
  readonly change?: Change;
  /** What else happened, for the timeline. `writeOutcome` adds the wait or the end itself. */
  readonly entries?: readonly DeliveryEntry[];
  /** What happens instead when the post that `change` names turns out to belong to another delivery. */
  readonly ifTaken?: Wait | End;
  /** The result of reconciling an ambiguous commit, for metrics. */
  readonly finding?: CommitFinding;
  /** The failure of a step that uses quotas: they are updated after the outcome is written. */
  readonly quotaFailure?: QuotaFailure;
}

export interface Continue extends Decided {
  readonly kind: 'continue';
  /** What changes in the run for the next turn. */
  readonly run?: Partial<Pick<Run, 'integration' | 'tokens' | 'reserved'>>;
}

export interface Wait extends Decided {
  readonly kind: 'wait';
  /** How long, before `TIME_SCALE`, or until when. */
  readonly until: { readonly inMs: number } | { readonly at: Date };
  /** The wait to report to callers; nothing is reported without it. */
  readonly waiting?: Waiting;
  /** Why it waits, for the timeline, if that is not reported. A wait without a reason gets no entry. */
  readonly why?: { readonly reason: string; readonly message?: string };
  /** The commit was sent and its response is lost: its settle time begins now and ends with the wait. */
  readonly settlesCommit?: true;
}

export interface WaitForOthers extends Decided {
  readonly kind: 'wait_for_others';
}

export type End = Decided & { readonly kind: 'end' } & (
    | { readonly status: 'published'; readonly published: Partial<Published> }
    | { readonly status: 'failed'; readonly errorType: ErrorType; readonly message: string }
  );

export type CommitFinding = 'not_published' | 'found' | 'published_without_id' | 'cannot_tell' | 'unreadable';

/** Shorter waits are not reported. */
const MIN_REPORTED_WAIT_MS = 10_000;
/** How long a paused delivery waits before it looks again: longer than a process caches pauses. */
const PAUSED_MS = 2_000;

/** Why the outcome of a commit whose response was lost is still open. */
export const CONFIRMING = {
  reason: 'confirming',
  message: 'The response of the platform was lost. Fanfare is checking whether the post was published.',
} as const;

/** It is not its turn to be made public. */
export const waitForOthers: WaitForOthers = { kind: 'wait_for_others' };

/** The process stops: another one can continue at once. */
export const handBack: Wait = { kind: 'wait', until: { inMs: 0 }, entries: [handedOverEntry] };

/** An internal wait that is not reported to callers. */
export const shortWait = (inMs: number, why?: Wait['why']): Wait => ({ kind: 'wait', until: { inMs }, ...(why && { why }) });

/** Reported to callers if it is long. */
export function waitFor(inMs: number, why: Pick<WaitingDocument, 'reason' | 'message'>, change: Change = {}): Wait {
  return { kind: 'wait', until: { inMs }, change, why, ...(inMs >= MIN_REPORTED_WAIT_MS && { waiting: { ...why, isEndKnown: true } }) };
}

/** Waits until the pause ends. Reported to callers once. */
export function waitForPause({ waiting }: Pick<DeliveryDocument, 'waiting'>): Wait {
  const until = { inMs: PAUSED_MS };
  if (waiting?.reason === 'held') return { kind: 'wait', until };
  return {
    kind: 'wait',
    until,
    waiting: { reason: 'held', message: 'The operator of this service has paused publishing.', isEndKnown: false },
  };
}

/** Waits until the business is open again: it is being deleted. The business says so, and not each post. */
export const waitForOpening: Wait = { kind: 'wait', until: { at: CLOSED_UNTIL } };

/** The post is on the platform. */
export function endPublished(published: Partial<Published>, change: Change = {}): End {
  const isTaken = endFailed('unknown_outcome', 'The platform responded with the id of another post.');
  return { kind: 'end', status: 'published', published, change, ifTaken: isTaken };
}

/** The delivery ends without a post or, with `unknown_outcome`, without knowing whether there is one. */
export const endFailed = (errorType: ErrorType, message: string): End => ({ kind: 'end', status: 'failed', errorType, message });

/** Nothing more can be done: the delivery ends by what is known. `errorType` applies only when nothing was published. */
export function giveUp(delivery: LeasedDelivery, errorType: ErrorType, message: string): End {
  if (delivery.published_at) return endStanding(delivery, message);
  if (!delivery.commit) return endFailed(errorType, message);
  return endFailed(
    'unknown_outcome',
    `The response to the publish call was lost, and Fanfare cannot check whether the post exists: ${message}`,
  );
}

/** The post is on the platform. What was left to do, such as the first comment, is given up with a warning. */
function endStanding(delivery: LeasedDelivery, warning: string): End {
  const change = { begun_follow_up: undefined, warnings: [...delivery.warnings, warning] };
  const { next } = connectorFor(delivery.platform).publish;
  // Follow-ups are only given up here, so the content does not matter.
  const content: Content = { caption: delivery.content.caption, media: [] };
  let state: State = delivery.state;
  for (;;) {
    const coming = next(content, state);
    if ('published' in coming) return endPublished(coming.published, change);
    if (coming.step.kind !== 'follow_up') {
      return endPublished(delivery.publish_id === undefined ? {} : { publishId: delivery.publish_id }, change);
    }
    state = coming.step.givenUp;
  }
}
