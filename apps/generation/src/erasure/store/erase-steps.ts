import { deleteSome, ofBusinesses, ofTenant, type Erased, type EraseStep } from '@fanfare/erasure';
import { deleteOutboxRowsOf } from '@fanfare/events';
import { deleteClockOf } from '@fanfare/test-clock';
import type { Db } from 'mongodb';

/** Everything that generation stores of a business. A process that works on a job loses its lease. Media files are in the library, which erases them itself. */
export function eraseSteps({ db }: { readonly db: Db }): Readonly<Record<string, EraseStep>> {
  const ofBusiness = (name: string): EraseStep => {
    return (erased, limit) => deleteSome(db.collection(name), ofBusinesses(erased), limit);
  };
  return {
    jobs: ofBusiness('jobs'),
    designs: ofBusiness('designs'),
    templates: ofBusiness('templates'),
    uploads: (erased, limit) => deleteSome(db.collection('uploads'), ofTenant(erased), limit),
    usage: (erased, limit) => eraseUsage(db, erased, limit),
    outbox: (erased) => deleteOutboxRowsOf(db, erased),
    test_clock: (erased) => deleteClockOf(db, erased),
  };
}

/** The quota is the organization's: what an erased business has used of it stays used. */
async function eraseUsage(db: Db, { organizationId, wholeOrganization }: Erased, limit: number): Promise<number> {
  if (!wholeOrganization) return 0;
  // `{organization}:{month}`
  return deleteSome(db.collection<{ _id: string }>('usage'), { _id: { $gte: `${organizationId}:`, $lt: `${organizationId};` } }, limit);
}
