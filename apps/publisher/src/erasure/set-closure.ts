import { setTimeout as wait } from 'node:timers/promises';
import type { SetClosureRequest } from '@fanfare/contracts/erasure';
import { CLOSED_TTL_MS, putClosure } from '@fanfare/erasure';
import type { Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { wakeClosed } from '../deliveries/store/closed-deliveries.ts';

const BATCH = 500;

/** Returns when no process begins a commit of what is closed any more, or when all deliveries that waited for its opening are due. */
export async function setClosure({ db, closed, afterCommit }: Context, request: SetClosureRequest, log: Logger): Promise<void> {
  const { organizationId: organization_id, businessId } = request;
  if (!(await putClosure(db, request))) return;
  closed.forget();
  const ids = { closed_organization_id: organization_id, closed_business_id: businessId };
  log.info({ ...ids, closed: request.closed }, request.closed ? 'publishing has stopped, because of a deletion' : 'publishing continues');
  if (request.closed) {
    await wait(CLOSED_TTL_MS);
    return;
  }
  const scope = { organization_id, ...(businessId !== '' && { business_id: businessId }) };
  while ((await wakeClosed(db, scope, BATCH)) > 0);
  for (const wake of afterCommit) wake();
}
