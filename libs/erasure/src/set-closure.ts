import { setTimeout as wait } from 'node:timers/promises';
import type { SetClosureRequest } from '@fanfare/contracts/erasure';
import type { Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { CLOSED_TTL_MS, type ClosedReader } from './read-closed.ts';
import { putClosure } from './store/closures.ts';

const BATCH = 500;

/**
 * Closes or opens an organization or a business. Returns when every process knows that it is closed, or when all that waited for its opening is due.
 * @param reopen makes up to `limit` rows due that waited; returns how many
 * @returns whether it was opened; false also if a newer call was before this one
 * @throws DomainError missing_field
 */
export async function setClosure(
  { db, closed }: { readonly db: Db; readonly closed: ClosedReader },
  request: SetClosureRequest,
  log: Logger,
  reopen: (scope: { organization_id: string; business_id?: string }, limit: number) => Promise<number>,
): Promise<boolean> {
  const { organizationId: organization_id, businessId } = request;
  if (!(await putClosure(db, request))) return false;
  closed.forget();
  const ids = { closed_organization_id: organization_id, closed_business_id: businessId };
  log.info({ ...ids, closed: request.closed }, request.closed ? 'publishing has stopped, because of a deletion' : 'publishing continues');
  if (request.closed) {
    await wait(CLOSED_TTL_MS);
    return false;
  }
  const scope = { organization_id, ...(businessId !== '' && { business_id: businessId }) };
  while ((await reopen(scope, BATCH)) > 0);
  return true;
}
