import { deleteSome, ofBusinesses, type Erased, type EraseStep } from '@fanfare/erasure';
import { deleteOutboxRowsOf } from '@fanfare/events';
import { deleteClockOf } from '@fanfare/test-clock';
import type { Db } from 'mongodb';

/** Everything that analytics stores of a business. */
export function eraseSteps({ db }: { readonly db: Db }): Readonly<Record<string, EraseStep>> {
  const ofBusiness = (name: string): EraseStep => {
    return (erased, limit) => deleteSome(db.collection(name), ofBusinesses(erased), limit);
  };
  return {
    posts: ofBusiness('posts'),
    account_months: ofBusiness('account_months'),
    // Before the accounts, by which they are found.
    reads: (erased, limit) => eraseReads(db, erased, limit),
    accounts: ofBusiness('accounts'),
    outbox: (erased) => deleteOutboxRowsOf(db, erased),
    test_clock: (erased) => deleteClockOf(db, erased),
  };
}

async function eraseReads(db: Db, erased: Erased, limit: number): Promise<number> {
  const accounts = await db
    .collection<{ _id: string }>('accounts')
    .find(ofBusinesses(erased) as object, { projection: { _id: 1 } })
    .toArray();
  return deleteSome(db.collection('reads'), { ...ofBusinesses(erased), integration_id: { $in: accounts.map(({ _id }) => _id) } }, limit);
}
