import type { SetClosureRequest } from '@fanfare/contracts/erasure';
import { setClosure as set } from '@fanfare/erasure';
import type { Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { wakeClosed } from '../deliveries/store/closed-deliveries.ts';

/** Returns when no process begins a commit of what is closed any more, or when all deliveries that waited for its opening are due. */
export async function setClosure(context: Context, request: SetClosureRequest, log: Logger): Promise<void> {
  const isOpened = await set(context, request, log, (scope, limit) => wakeClosed(context.db, scope, limit));
  if (isOpened) for (const wake of context.afterCommit) wake();
}
