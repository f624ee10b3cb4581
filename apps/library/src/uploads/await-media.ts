import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@fanfare/errors';
import { deadlineIn } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { findIntake } from '../intake/store/intakes.ts';

/** How long the request with the last byte waits for the result. */
const MAX_WAIT_MS = 10_000;
const POLL_MS = 50;

/**
 * Waits until an intake has ended, at most `MAX_WAIT_MS`. After that, processing continues in the background.
 * @throws DomainError the failure of the intake, with param `file`
 */
export async function awaitMedia({ db }: Pick<Context, 'db'>, scope: Scope, id: string): Promise<void> {
  const deadline = deadlineIn(MAX_WAIT_MS);
  for (;;) {
    const intake = await findIntake(db, scope, id);
    if (!intake) return; // The media exists, or the intake was canceled.
    const { failure } = intake;
    if (failure) throw new DomainError(failure.code, failure.detail, { param: 'file' });
    if (deadline.passed()) return;
    await pause(POLL_MS);
  }
}
