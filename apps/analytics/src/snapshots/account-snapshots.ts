import { daysAfter, daysOf, type AccountStatistics, type ReadingRules } from '@fanfare/connectors';
import { startWorker, type Lease, type Worker } from '@fanfare/leased-work';
import { now } from '@fanfare/runtime';
import type { AccountDocument } from '../accounts/account.ts';
import { flowsOf, levelsOf, putAccountDays } from '../accounts/store/account-months.ts';
import { accountRows } from '../accounts/store/accounts.ts';
import type { Context } from '../context.ts';
import { emitAccountSnapshot } from '../events.ts';
import { withAccess } from '../live/access.ts';
import { dayIn } from '../live/days.ts';
import { readCallsOf, rulesOf } from '../live/rules-of.ts';
import { accountStatsFrom } from '../live/to-proto.ts';
import { orUnavailable } from '../live/unavailable.ts';
import { snapshotsTaken } from '../metrics.ts';
import { positionOf } from '../position.ts';
import { backgroundCall } from './background-call.ts';
import { isReadable } from './is-readable.ts';
import { quotaWaitMs, retrySettings } from './failures.ts';

const SIZE = 4;
const LEASE_MS = 60_000;
const IDLE_MS = 2_000;
const DAY_MS = 24 * 3_600_000;
/** How many missed days are read later. */
const MOST_DAYS = 7;

/** Stores the statistics of connected accounts once a day. */
export function startAccountSnapshots(context: Context): Worker {
  const { config, db, log } = context;
  return startWorker<AccountDocument>({
    name: 'account-snapshots',
    db,
    log,
    rows: accountRows,
    size: Math.min(SIZE, config.snapshotsAtOnce),
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS * config.timeScale,
    idsOf: ({ _id, platform, organization_id }) => ({ integration_id: _id, platform, organization_id }),
    work: (lease) => takeSnapshot(context, lease),
    retry: {
      ...retrySettings(config.timeScale),
      async giveUp({ row, log }, error) {
        log.warn({ err: error }, 'gave up the daily snapshot of an account');
        await plan(context, row, 'failed');
      },
    },
  });
}

async function takeSnapshot(context: Context, { row, log }: Lease<AccountDocument>): Promise<void> {
  const { config, db } = context;
  if (!isReadable(row, config)) return plan(context, row, 'skipped');
  const rules = rulesOf(row.platform);
  const today = dayIn(now(row.organization_id), rules.timeZone);
  const days = daysToRead(rules, today, row.last_day);
  let read: readonly { readonly day: string; readonly statistics: AccountStatistics }[] | undefined;
  try {
    read = await readDays(context, row, rules, days);
  } catch (error) {
    const waitMs = quotaWaitMs(error);
    if (waitMs === undefined) throw error;
    log.info({ wait_ms: waitMs }, 'a snapshot waits for the read quota');
    return accountRows.postpone(db, row, waitMs * (1 + Math.random() / 10), [{ $set: { attempts: 0 } }]);
  }
  const last = read?.at(-1);
  if (!read || !last) return plan(context, row, 'skipped');
  const takenAt = now(row.organization_id);
  const owner = { organization_id: row.organization_id, business_id: row.business_id, integration_id: row._id, platform: row.platform };
  const flows = rules.keptDays === 0 ? [] : read.map(({ day, statistics }) => ({ day, ...flowsOf(statistics) }));
  const about = { platform: row.platform, accountId: row.account_id, timeZone: rules.timeZone, fetchedAt: takenAt };
  const wanted = { start: last.day, end: last.day, period: rules.periods[0] ?? 'lifetime', metrics: [] };
  await context.transact(async (session) => {
    await accountRows.write(
      db,
      { row, pipeline: [{ $set: { last_day: last.day, attempts: 0, snapshot_at: nextTime(row, config.timeScale) } }] },
      session,
    );
    await putAccountDays(db, owner, mergedDays(flows, { day: today, ...levelsOf(last.statistics) }), session);
    await emitAccountSnapshot(db, session, row, last.day, accountStatsFrom({ ...last.statistics, series: [] }, about, wanted), takenAt);
  });
  snapshotsTaken.inc({ of: 'account', platform: row.platform, outcome: 'taken' });
}

/** Undefined if the account lacks a permission. */
function readDays(
  context: Context,
  row: AccountDocument,
  rules: ReadingRules,
  days: readonly string[],
): Promise<{ day: string; statistics: AccountStatistics }[] | undefined> {
  const period = rules.periods[0] ?? 'lifetime';
  const ofDay = (day: string) => ({ start: day, end: day, period, metrics: [] });
  const mostCalls = days.reduce((sum, day) => sum + readCallsOf(row.platform).account(ofDay(day)), 0);
  const wanted = { integrationId: row._id, isBackground: true, mostCalls, call: backgroundCall(row, `snapshot-${row._id}`) };
  const nothing = () => undefined;
  return withAccess(context, wanted, ({ integration, reading, call }) =>
    orUnavailable<{ day: string; statistics: AccountStatistics }[] | undefined>(integration, 'account_stats', nothing, async () => {
      const read = [];
      for (const day of days) read.push({ day, statistics: await reading.readAccount(call, ofDay(day)) });
      return read;
    }),
  );
}

/** The days whose statistics are complete but not stored. The last one is always read, because reading also returns the current values. */
function daysToRead({ settledDays, keptDays }: ReadingRules, today: string, lastDay: string | undefined): string[] {
  const target = daysAfter(today, -Math.max(settledDays, keptDays === 0 ? 0 : 1));
  if (keptDays === 0 || lastDay === undefined || lastDay >= target) return [target];
  const earliest = daysAfter(target, 1 - MOST_DAYS);
  const next = daysAfter(lastDay, 1);
  return daysOf({ start: next > earliest ? next : earliest, end: target });
}

type Day = Parameters<typeof putAccountDays>[2][number];
const mergedDays = (flows: readonly Day[], today: Day): Day[] => [
  ...flows.filter(({ day }) => day !== today.day),
  { ...flows.find(({ day }) => day === today.day), ...today },
];

async function plan({ config, db }: Context, row: AccountDocument, outcome: string): Promise<void> {
  await accountRows.write(db, { row, pipeline: [{ $set: { attempts: 0, snapshot_at: nextTime(row, config.timeScale) } }] });
  snapshotsTaken.inc({ of: 'account', platform: row.platform, outcome });
}

/** The account's time on the next day (UTC). Each account has its own, so that reads are spread over the day. */
function nextTime({ _id, organization_id }: AccountDocument, timeScale: number): Date {
  const at = now(organization_id).getTime();
  if (timeScale !== 1) return new Date(at + DAY_MS * timeScale);
  return new Date((Math.floor(at / DAY_MS) + 1 + positionOf(_id)) * DAY_MS);
}
