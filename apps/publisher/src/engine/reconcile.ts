import { PlatformFailure, type Candidate, type Finding, type State } from '@fanfare/connectors';
import { aheadMs, currentMs } from '@fanfare/runtime';
import { delayMs } from '../deliveries/domain/decide.ts';
import { fingerprint } from '../deliveries/domain/fingerprint.ts';
import { lookEntry } from '../deliveries/domain/delivery-entries.ts';
import { messageOf } from '../deliveries/domain/message-of.ts';
import type { CommitDocument, LeasedDelivery } from '../deliveries/delivery.ts';
import { findBoundPublishIds, hasCompetingCommit } from '../deliveries/store/competing-commits.ts';
import { findRestored } from '../restore/domain/find-restored.ts';
import type { Restored } from '../restore/domain/restored.ts';
import { hasUnprepared } from '../restore/store/restored-deliveries.ts';
import {
  CONFIRMING,
  endFailed,
  endPublished,
  shortWait,
  waitFor,
  type CommitFinding,
  type End,
  type Outcome,
  type Wait,
} from './outcome.ts';
import { callFor, type Run } from './run.ts';

/** Platforms are eventually consistent: read this often before the outcome is unknown. */
const MAX_FINDS = 3;
/**
 * A platform that cannot be read at all leaves the outcome unknown after this time, which most outages do not reach, and so many tries: nothing was tried
 * while no process was running.
 */
const MAX_UNREAD_MS = 3600_000;
const MIN_FAILED_READS = 8;
/** A platform that lost the commit this often, by its own proof, is not sent another one. */
const MAX_LOST_COMMITS = 5;

/** How long a restored delivery waits for the others to the same account. */
const UNPREPARED_MS = 500;

const RESTORED = {
  reason: 'confirming',
  message: 'This service was restored from a backup. Fanfare is checking whether the post was published since.',
} as const;
const UNKNOWN_OF_RESTORED =
  'This service was restored from a backup, and the platform does not report whether the post was published since. Check the account; if the post is not there, publish again with confirm_not_published: true.';
const UNKNOWN_OUTCOME =
  'The response to the publish call was lost, and the platform does not report whether the post exists. Check the account; if the post is not there, publish again with confirm_not_published: true.';

/**
 * Finds out what became of an ambiguous commit, by reading and never by sending again. The delivery continues with the post that is found, or with the
 * platform's own proof that there is none.
 */
export async function reconcile(run: Run, commit: CommitDocument): Promise<Outcome> {
  const { connector, content, delivery, log } = run;
  const isRestored = delivery.restored?.result === 'checking';
  const waits = isRestored ? await untilPrepared(run, commit) : undefined;
  if (waits) return waits;
  const read = (state: State) => connector.publish.findPublished(callFor(run), content, state, commit.began_at);
  let finding: Finding;
  try {
    finding = await (isRestored ? findRestored(read, delivery.state) : read(delivery.state));
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    return { ...afterUnreadable(run, commit, error), entries: [lookEntry('unreadable', 0, error)] };
  }
  if (finding.isUnreadable) return { ...endUnknown(run, 'cannot_tell'), entries: [lookEntry('not_possible', 0)] };
  const candidates = await unboundCandidates(run, finding);
  log.info({ proof: finding.proof, candidates: candidates.length }, 'an ambiguous commit was reconciled');

  // A request that was sent late may still arrive: only a second read, a settle time later, counts.
  if (finding.proof === 'not_published') {
    const outcome = commit.finds === 0 ? findAgain(run, commit) : notPublished(run, commit, finding);
    return { ...outcome, entries: [lookEntry('not_published', candidates.length)] };
  }
  const notFound = afterNotFound(run, commit, finding);
  const [candidate, ...others] = candidates;
  const isOurs = candidate && others.length === 0 && !(await hasCompetingCommit(run.context.db, delivery, commit));
  const look = isOurs ? 'found' : finding.proof === 'published' ? 'published' : 'not_found';
  return { ...(isOurs ? found(delivery, commit, candidate, notFound) : notFound), entries: [lookEntry(look, candidates.length)] };
}

/** Posts on the platform that look like this one and belong to no other delivery. */
async function unboundCandidates({ context, delivery }: Run, { candidates }: Finding): Promise<Candidate[]> {
  const publishIds = candidates.map(({ publishId }) => publishId);
  const bound = await findBoundPublishIds(context.db, delivery, publishIds);
  return candidates.filter(({ publishId }) => !bound.has(publishId));
}

/**
 * Restored deliveries to an account get their fingerprints before the first of them is read: otherwise the post of one could be found for another one with the same content.
 */
async function untilPrepared({ context, content, delivery }: Run, commit: CommitDocument): Promise<Outcome | undefined> {
  if (commit.fingerprint === '') return { kind: 'continue', change: { commit: { ...commit, fingerprint: fingerprint(content) } } };
  return (await hasUnprepared(context.db, delivery)) ? shortWait(UNPREPARED_MS) : undefined;
}

const findAgain = ({ connector, delivery }: Run, commit: CommitDocument): Wait =>
  waitFor(connector.publish.settleMs, delivery.restored ? RESTORED : CONFIRMING, { commit: { ...commit, finds: commit.finds + 1 } });

/** Stored with what was found out about a restored delivery. */
const restoredAs = ({ restored }: LeasedDelivery, result: Restored['result']) =>
  restored?.result === 'checking' ? { restored: { ...restored, result } } : {};

/** Not published, by the platform's own proof. The commit may be sent again. */
function notPublished({ delivery }: Run, commit: CommitDocument, { retryFrom }: Finding): Outcome {
  const back = retryFrom && { state: retryFrom };
  // It continues when its turn comes, and nothing is paused.
  if (delivery.restored?.result === 'checking') {
    return { ...shortWait(0), change: { commit: undefined, ...back, ...restoredAs(delivery, 'absent') }, finding: 'not_published' };
  }
  const lost_commits = (delivery.lost_commits ?? 0) + 1;
  const counted = { finding: 'not_published' } as const;
  if (lost_commits >= MAX_LOST_COMMITS) {
    return { ...endFailed('platform_unavailable', 'The post was sent several times, but the platform did not publish it.'), ...counted };
  }
  const lost_commit_at = delivery.lost_commit_at ?? commit.began_at;
  const change = { commit: undefined, lost_commit_at, lost_commits, ...back };
  return { kind: 'continue', change, ...counted };
}

/** @param ifTaken the post was bound by another delivery a moment ago: it was not ours */
function found(delivery: LeasedDelivery, commit: CommitDocument, { publishId, state }: Candidate, ifTaken: Wait | End): Outcome {
  const about = { publish_id: publishId, published_at: publishedAt(delivery, commit), ...restoredAs(delivery, 'found') };
  const change = { commit: undefined, state, failures: 0, ...about };
  return { kind: 'continue', change, ifTaken, finding: 'found' };
}

/** No post was found that is certainly ours. */
function afterNotFound(run: Run, commit: CommitDocument, { proof }: Finding): Wait | End {
  if (commit.finds + 1 < MAX_FINDS) return findAgain(run, commit);
  if (proof === 'published') {
    const about = { published_at: publishedAt(run.delivery, commit), ...restoredAs(run.delivery, 'found') };
    return { ...endPublished({}, about), finding: 'published_without_id' };
  }
  return endUnknown(run, 'cannot_tell');
}

/** A restored delivery was sent when it was due, or later. */
function publishedAt({ due_at, organization_id, restored }: LeasedDelivery, commit: CommitDocument): Date {
  const began_at = new Date(commit.began_at.getTime() + (commit.ahead_ms ?? aheadMs(organization_id)));
  return restored && due_at > began_at ? due_at : began_at;
}

const endUnknown = ({ delivery }: Run, finding: CommitFinding): End => ({
  ...endFailed('unknown_outcome', delivery.restored ? UNKNOWN_OF_RESTORED : UNKNOWN_OUTCOME),
  finding,
});

/** What follows when the platform cannot be read. The commit stays written: nothing is sent again. */
export function afterUnreadable(run: Run, commit: CommitDocument, failure: PlatformFailure): Outcome {
  const { tokens, log } = run;
  log.warn({ failure: failure.class, detail: failure.detail, message: failure.message }, 'an ambiguous commit cannot be reconciled yet');
  if (failure.class === 'token_expired' && tokens !== 'refreshed') return { kind: 'continue', run: { tokens: 'rejected' } };
  const failed_reads = commit.failed_reads + 1;
  const isTooLong = currentMs() - commit.deadline_at.getTime() > MAX_UNREAD_MS && failed_reads >= MIN_FAILED_READS;
  const isFinal = failure.class === 'token_expired' || failure.class === 'permission' || isTooLong;
  if (isFinal) return endUnknown(run, 'unreadable');
  const inMs = delayMs({ failures: failed_reads - 1, jitter: Math.random() }, failure.retryAfterMs);
  const { reason } = CONFIRMING;
  return waitFor(inMs, { reason, message: unreadable(failure) }, { commit: { ...commit, failed_reads } });
}

const unreadable = (failure: PlatformFailure): string =>
  `The response of the platform was lost, and whether the post was published cannot be checked yet: ${messageOf(failure)}`;
