import { forgetClosures, NotYet, type Erased, type EraseStep } from '@fanfare/erasure';
import { deleteOutboxRowsOf } from '@fanfare/events';
import { eraseChains } from '@fanfare/ledger';
import { deleteClockOf } from '@fanfare/test-clock';
import { insertRevocationOf, countRevocationsOf } from '../accounts/store/revocations.ts';
import type { Context } from '../context.ts';
import { deleteAccountQuotas, forgetOrganization } from '../quotas/store/erased-quotas.ts';
import {
  countRunning,
  deleteAccount,
  deleteAccountsWithoutAccess,
  deleteConnecting,
  deleteDeliveries,
  deleteNotBegun,
  deletePauses,
  deleteRemovals,
  findAccounts,
} from './store/erased-data.ts';

/**
 * Everything that the publisher stores of a business, in this order: what is being published ends first, with a clear result; then access is revoked at the
 * platforms, and then the rest is deleted. Posts on platforms stay there.
 */
export function eraseSteps(context: Context): Readonly<Record<string, EraseStep>> {
  const { db, log } = context;
  return {
    not_begun: (erased, limit) => deleteNotBegun(db, erased, limit),
    running: (erased) => waitForRunning(context, erased),
    deliveries: (erased, limit) => deleteDeliveries(db, erased, limit),
    removals: (erased, limit) => deleteRemovals(db, erased, limit),
    connecting: (erased, limit) => deleteConnecting(db, erased, limit),
    accounts: (erased, limit) => eraseAccounts(context, erased, limit),
    revocations: (erased) => waitForRevocations(context, erased),
    timelines: (erased, limit) => eraseChains({ db, log }, erased, limit),
    quotas: (erased) => forgetOrganization(db, erased),
    pauses: (erased) => deletePauses(db, erased),
    outbox: (erased) => deleteOutboxRowsOf(db, erased),
    test_clock: (erased) => deleteClockOf(db, erased),
    closures: (erased) => forgetClosures(db, erased),
  };
}

/** A commit whose outcome is not known yet is reconciled, what is left of a published post is done, and posts are removed that somebody has unpublished. */
async function waitForRunning({ db }: Context, erased: Erased): Promise<number> {
  const { deliveries, removals } = await countRunning(db, erased);
  if (deliveries + removals > 0) throw new NotYet(`${deliveries} deliveries and ${removals} removals that are running`);
  return 0;
}

/** Deletes accounts with their tokens, which move to the revocations. Emits nothing: nobody may know of them any more. */
async function eraseAccounts(context: Context, erased: Erased, limit: number): Promise<number> {
  const { db, log } = context;
  const accounts = await findAccounts(db, erased, limit);
  for (const account of accounts) {
    await context.transact(async (session) => {
      if (await deleteAccount(db, account, session)) await insertRevocationOf(db, account, session);
    });
    await deleteAccountQuotas(db, account);
    log.info({ integration_id: account._id, platform: account.platform, erased_organization_id: erased.organizationId }, 'account erased');
  }
  return accounts.length + (await deleteAccountsWithoutAccess(db, erased, limit));
}

/** Each ends within half an hour: our access is revoked, or that is given up. */
async function waitForRevocations({ db }: Context, erased: Erased): Promise<number> {
  const revocations = await countRevocationsOf(db, erased);
  if (revocations > 0) throw new NotYet(`${revocations} accounts whose access is being revoked at the platforms`);
  return 0;
}
