import { createHash } from 'node:crypto';
import { platformRules } from '@fanfare/connectors/preflight';
import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { waitingBusinesses } from '../posts/store/post-risks.ts';
import { businessesWithQueuedPosts } from '../queues/store/queues.ts';
import { riskCheckRows } from '../fan-out/store/risk-checks.ts';
import { findRiskRules, putRiskRules } from './store/risk-rules.ts';

/** The rules change only with a release. A replica of the previous version may still be replaced. */
const PERIOD_MS = 10 * 60_000;
const BATCH = 100;

/**
 * Lets the waiting posts of all businesses be checked again after a release that changes the limits of platforms: lists find posts at risk by what the
 * last check has noted. Replicas may run it at once, and a crash repeats it.
 */
export function startRecheckingAfterReleases(context: Context): Loop {
  const digest = digestOf(platformRules);
  return startLoop({ name: 'risk-rules', log: context.log, run: () => recheckIfChanged(context, digest), stalledAfterMs: 3 * PERIOD_MS });
}

/** Checks the posts of all businesses if they were last checked by other rules. @returns how long to wait until the next look */
export async function recheckIfChanged(context: Pick<Context, 'db' | 'log' | 'transact'>, digest: string): Promise<number> {
  const { db, log } = context;
  const before = await findRiskRules(db);
  if (before?.digest === digest) return PERIOD_MS;
  const revision = (before?.revision ?? 0) + 1;
  let checkedCount = 0;
  let batch: { _id: string; organization_id: string }[] = [];
  const flush = async () => {
    const checked = batch;
    batch = [];
    checkedCount += checked.length;
    await context.transact(async (session) => {
      for (const { _id, organization_id } of checked) {
        await riskCheckRows.put(db, { _id: `${_id}:rules`, business_id: _id, organization_id, revision }, session);
      }
    });
  };
  for (const businesses of [waitingBusinesses(db), businessesWithQueuedPosts(db)]) {
    for await (const business of businesses) {
      batch.push(business);
      if (batch.length === BATCH) await flush();
    }
  }
  if (batch.length > 0) await flush();
  await putRiskRules(db, digest, revision);
  log.info({ businesses: checkedCount }, 'the limits of platforms have changed: checking the scheduled posts of all businesses again');
  return PERIOD_MS;
}

const digestOf = (rules: typeof platformRules): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(rules).map(([platform, { limits, postQuota }]) => [platform, limits, postQuota])))
    .digest('hex');
