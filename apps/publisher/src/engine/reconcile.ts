import { PlatformFailure, type Finding } from '@fanfare/connectors';
import { currentMs } from '@fanfare/runtime';
import { pauseMs } from '../deliveries/domain/decide.ts';
import { messageOf } from '../deliveries/domain/message-of.ts';
import { lostCommits } from '../metrics.ts';
import { CONFIRMING, isPublishIdTaken, releaseDelivery, saveDelivery } from '../deliveries/store/deliveries.ts';
import { findBoundPublishIds, hasRivalCommit } from '../deliveries/store/rivals.ts';
import { endFailed, endPublished } from './end.ts';
import { REFRESH_PAUSE_MS, refreshTokens } from './refresh-tokens.ts';
import { callFor, type Run } from './run.ts';
import { wait } from './wait.ts';

/** Reading is only eventually consistent: the platform is asked this often before nobody can tell. */
const MAX_FINDS = 3;
/** A platform that cannot be read at all for this many tries leaves the outcome unknown. */
const MAX_FAILED_READS = 8;
/** A call that was never made (no connection, our own breaker) says nothing: the platform is waited for this long. */
const MAX_UNREAD_MS = 3600_000;
/** A platform that proves this often that it lost the commit is not sent another one. */
const MAX_LOST_COMMITS = 5;

const IN_DOUBT =
  'The answer to the publish call was lost, and the platform does not tell whether the post is there. Look, and publish again with confirm_not_published: true if it is not.';

/**
 * Finds out what became of a commit whose answer was lost, by reading and never by sending again. Answers whether this run goes on: with the
 * post found, or with the platform's own proof that there is none.
 */
export async function reconcile(run: Run): Promise<boolean> {
  const { context, connector, content, delivery, log } = run;
  const { commit } = delivery;
  if (!commit) return true;

  let finding: Finding;
  try {
    finding = await connector.publish.findPublished(callFor(run), content, delivery.state, commit.began_at);
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    return unreadable(run, error);
  }

  const bound = await findBoundPublishIds(
    context.db,
    delivery,
    finding.candidates.map(({ publishId }) => publishId),
  );
  const candidates = finding.candidates.filter(({ publishId }) => !bound.has(publishId));
  const [candidate] = candidates;
  const count = (label: string) => {
    lostCommits.inc({ platform: delivery.platform, finding: label });
    log.info({ finding: label, candidates: candidates.length }, 'the platform was asked about a lost commit');
  };

  const lookAgain = () =>
    wait(run, { inMs: connector.publish.settleMs, ...CONFIRMING }, { commit: { ...commit, finds: commit.finds + 1 } });

  if (finding.proof === 'not_published' && commit.finds === 0) {
    // What left us late may still be on its way: only a second look, a settle time later, is believed.
    await lookAgain();
    return false;
  }
  if (finding.proof === 'not_published') {
    count('not_published');
    const lost_commits = (delivery.lost_commits ?? 0) + 1;
    if (lost_commits >= MAX_LOST_COMMITS) {
      await endFailed(context, delivery, log)('platform_unavailable', 'The platform did not take the post, time after time.');
      return false;
    }
    run.delivery = await saveDelivery(context.db, delivery, {
      commit: undefined,
      lost_commit_at: delivery.lost_commit_at ?? commit.began_at,
      lost_commits,
      ...(finding.retryFrom && { state: finding.retryFrom }),
    });
    return true;
  }
  if (candidate && candidates.length === 1 && !(await hasRivalCommit(context.db, delivery, commit))) {
    try {
      const { publishId, state } = candidate;
      run.delivery = await saveDelivery(context.db, delivery, {
        commit: undefined,
        state,
        publish_id: publishId,
        published_at: commit.began_at,
        failures: 0,
      });
      count('found');
      return true;
    } catch (error) {
      if (!isPublishIdTaken(error)) throw error; // Bound by another delivery a moment ago: it was not ours.
    }
  }
  if (commit.finds + 1 < MAX_FINDS) {
    await lookAgain();
    return false;
  }
  if (finding.proof === 'published') {
    count('published_without_id');
    run.delivery = await saveDelivery(context.db, delivery, { published_at: commit.began_at });
    await endPublished(run, {});
    return false;
  }
  count('cannot_tell');
  await endFailed(context, delivery, log)('unknown_outcome', IN_DOUBT);
  return false;
}

/** Acts on a failure to find out. The commit stays written down: nothing is sent again. */
export async function unreadable(run: Run, failure: PlatformFailure): Promise<boolean> {
  const { context, delivery, log } = run;
  const { commit } = delivery;
  if (!commit) return true;
  log.warn(
    { failure: failure.class, detail: failure.detail, message: failure.message },
    'the platform cannot be asked about a lost commit',
  );
  if (failure.class === 'token_expired' && !run.refreshed) {
    const problem = await refreshTokens(run);
    if (problem === undefined) return reconcile(run);
    if (problem !== 'under_way') return unreadable(run, problem);
    await releaseDelivery(context.db, delivery, { inMs: REFRESH_PAUSE_MS * context.config.timeScale });
    return false;
  }
  const wasAsked = failure.effect !== 'not_sent';
  const failed_reads = commit.failed_reads + (wasAsked ? 1 : 0);
  const unsent_reads = (commit.unsent_reads ?? 0) + (wasAsked ? 0 : 1);
  const isTooLong = wasAsked ? failed_reads >= MAX_FAILED_READS : currentMs() - commit.began_at.getTime() > MAX_UNREAD_MS;
  const isFinal = failure.class === 'token_expired' || failure.class === 'permission' || isTooLong;
  if (isFinal) {
    lostCommits.inc({ platform: delivery.platform, finding: 'unreadable' });
    await endFailed(context, delivery, log)('unknown_outcome', IN_DOUBT);
    return false;
  }
  const inMs = pauseMs({ failures: failed_reads + unsent_reads - 1, jitter: Math.random() }, failure.retryAfterMs);
  const reason = failure.class === 'rate_limited' ? 'rate_limited' : 'retry';
  await wait(run, { inMs, reason, message: messageOf(failure) }, { commit: { ...commit, failed_reads, unsent_reads } });
  return false;
}
