import { counter, currentTime, startLoop, type Logger, type Loop } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { appendAnchor, findLastAnchor, type AnchorDocument, type AnchoredHead, type LastAnchor } from './store/anchors.ts';
import { findOldestRecordedAt, readRecorded } from './store/entries.ts';
import { leaseAnchoring, noteAnchored, releaseAnchoring, renewAnchoring } from './store/ledger-state.ts';

const PERIOD_MS = 10 * 60_000;
/** A transaction that inserts an entry may commit this much later. */
const GRACE_MS = 10 * 60_000;
/** Longer than an anchor takes. If it expires, two processes write anchors: one of them fails with a duplicate key. */
const LEASE_MS = 5 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** An anchor names this many chains at most: less than 300 KB. */
const MOST_HEADS = 1_000;

/**
 * Anchors each day after it has ended, on one replica at a time. Each anchor names the last entries of an organization's chains on that day, and is logged
 * with its hash: so a whole chain, or its newest entries, cannot be deleted without notice. A process that dies is continued where it stopped.
 */
export function startAnchoring({ db, log }: { readonly db: Db; readonly log: Logger }): Loop {
  return startLoop({
    name: 'ledger-anchors',
    log,
    stalledAfterMs: 3 * PERIOD_MS,
    async run() {
      await anchorDays({ db, log }, new Date(currentTime().getTime() - GRACE_MS));
      return PERIOD_MS;
    },
  });
}

/** Anchors the days before the day of a time that are not anchored yet. Does nothing while another process does it. */
export async function anchorDays({ db, log }: { readonly db: Db; readonly log: Logger }, now: Date): Promise<void> {
  const lease = await leaseAnchoring(db, LEASE_MS);
  if (!lease) return;
  try {
    const today = dayOf(now);
    const oldest = lease.through === undefined ? await findOldestRecordedAt(db) : undefined;
    let day = lease.through === undefined ? oldest && dayOf(oldest) : dayAfter(lease.through);
    for (; day !== undefined && day < today; day = dayAfter(day)) {
      await anchorDay({ db, log }, day);
      await noteAnchored(db, day);
    }
  } finally {
    await releaseAnchoring(db);
  }
}

async function anchorDay({ db, log }: { readonly db: Db; readonly log: Logger }, day: string): Promise<void> {
  const from = new Date(`${day}T00:00:00.000Z`);
  let open: OpenAnchor | undefined;
  const write = async ({ organizationId, last, heads }: OpenAnchor, is_complete: boolean): Promise<AnchorDocument> => {
    const anchor = await appendAnchor(db, organizationId, last.entry, { day, is_complete, heads });
    await renewAnchoring(db, LEASE_MS);
    anchors().inc();
    log.info({ organization_id: organizationId, day, anchor: anchor.n, hash: anchor.hash, chains: heads.length }, 'timelines anchored');
    return anchor;
  };
  for await (const { organization_id: organizationId, chain, post_id, n, hash, at } of readRecorded(
    db,
    from,
    new Date(from.getTime() + DAY_MS),
  )) {
    if (open?.organizationId !== organizationId) {
      if (open && open.heads.length > 0) await write(open, true);
      open = { organizationId, last: await findLastAnchor(db, organizationId), heads: [] };
    }
    if (isAnchored(open.last.anchor, day, chain)) continue;
    const head = { chain, post_id, n, hash, at: at.toISOString() };
    if (open.heads.at(-1)?.chain === chain) open.heads.pop();
    else if (open.heads.length === MOST_HEADS) {
      const anchor = await write(open, false);
      open = { ...open, last: { entry: anchor, anchor }, heads: [] };
    }
    open.heads.push(head);
  }
  if (open && open.heads.length > 0) await write(open, true);
}

/** The anchor that is being made. */
interface OpenAnchor {
  readonly organizationId: string;
  readonly last: LastAnchor;
  readonly heads: AnchoredHead[];
}

/** Whether a process that died has anchored the chain on this day. */
function isAnchored(last: AnchorDocument | undefined, day: string, chain: string): boolean {
  if (!last || last.details.day < day) return false;
  return last.details.day > day || last.details.is_complete || chain <= (last.details.heads.at(-1)?.chain ?? '');
}

const anchors = () => counter('fanfare_ledger_anchors_total', 'Anchors of timelines that were written.', []);

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
const dayAfter = (day: string): string => dayOf(new Date(Date.parse(day) + DAY_MS));
