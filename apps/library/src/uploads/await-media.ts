import { setTimeout as pause } from 'node:timers/promises';
import { DomainError } from '@fanfare/errors';
import { deadlineIn } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { findIntake } from '../intake/store/intakes.ts';

/** Whoever sent the last byte is told what came of it, if that takes no longer. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;

/**
 * Waits until an intake has come to its end, or for as long as anybody wants to: then the media goes on being made, and can be asked for.
 * @throws DomainError why it came to nothing, naming `file` unless it is about something else
 */
export async function awaitMedia({ db }: Pick<Context, 'db'>, scope: Scope, id: string): Promise<void> {
  const patience = deadlineIn(PATIENCE_MS);
  for (;;) {
    const intake = await findIntake(db, scope, id);
    if (!intake) return; // It is a media now; or one that somebody gave up.
    const { failure } = intake;
    if (failure) throw new DomainError(failure.code, failure.detail, { param: 'file' });
    if (patience.passed()) return;
    await pause(LOOK_MS);
  }
}
