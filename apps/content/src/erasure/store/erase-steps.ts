import { deleteSome, forgetClosures, ofBusinesses, ofTenant, type Erased, type EraseStep } from '@fanfare/erasure';
import { deleteOutboxRowsOf } from '@fanfare/events';
import { eraseChains } from '@fanfare/ledger';
import type { Logger } from '@fanfare/runtime';
import { deleteClockOf } from '@fanfare/test-clock';
import type { Db } from 'mongodb';

/**
 * Everything that content stores of a business, in this order: queues before their posts, so that no slot looks for a post that does not exist any more; posts before their
 * timelines, so that nothing is appended any more; businesses last, because the others follow their rules.
 */
export function eraseSteps({ db, log }: { readonly db: Db; readonly log: Logger }): Readonly<Record<string, EraseStep>> {
  const ofBusiness = (name: string): EraseStep => {
    return (erased, limit) => deleteSome(db.collection(name), ofBusinesses(erased), limit);
  };
  /** Of collections that stay small, so that they need no index for it. */
  const ofAll = (name: string): EraseStep => {
    return (erased, limit) => deleteSome(db.collection(name), ofTenant(erased), limit);
  };
  return {
    queues: (erased, limit) => eraseQueues(db, erased, limit),
    posts: ofBusiness('posts'),
    topics: ofBusiness('topics'),
    categories: ofBusiness('categories'),
    integrations: ofBusiness('integrations'),
    media_imports: ofAll('media_imports'),
    media_news: ofAll('media_news'),
    design_news: ofAll('design_news'),
    risk_checks: ofAll('risk_checks'),
    timelines: (erased, limit) => eraseChains({ db, log }, erased, limit),
    businesses: (erased, limit) => deleteSome(db.collection<Business>('businesses'), businessesOf(erased), limit),
    outbox: (erased) => deleteOutboxRowsOf(db, erased),
    test_clock: (erased) => deleteClockOf(db, erased),
    closures: (erased) => forgetClosures(db, erased),
  };
}

interface Business {
  _id: string;
  organization_id: string;
}

const businessesOf = ({ organizationId, businessIds, wholeOrganization }: Erased) => ({
  organization_id: organizationId,
  ...(!wholeOrganization && { _id: { $in: [...businessIds] } }),
});

/** Queues, with their blocks, which name only the queue. */
async function eraseQueues(db: Db, erased: Erased, limit: number): Promise<number> {
  const queues = db.collection<{ _id: string; business_id: string; organization_id: string }>('queues');
  const found = await queues
    .find(ofBusinesses(erased), { projection: { _id: 1 } })
    .limit(limit)
    .toArray();
  const ids = found.map(({ _id }) => _id);
  await db.collection('queue_blocks').deleteMany({ queue_id: { $in: ids } });
  await queues.deleteMany({ _id: { $in: ids } });
  const chosen = { _id: { $in: [...erased.businessIds] }, organization_id: erased.organizationId };
  return ids.length + (await deleteSome(db.collection<Business>('default_queues'), chosen, limit));
}
