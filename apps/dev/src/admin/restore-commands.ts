import { setTimeout as pause } from 'node:timers/promises';
import type { RestoreFence } from '@fanfare/contracts/publisher';
import type { Operator } from '@fanfare/stack';
import { InvalidArgumentError, type Command } from 'commander';
import { asOperator } from './operator/as-operator.ts';

const LOOK_MS = 1_000;
/** Requests that are still on their way arrive meanwhile. Later ones are reconciled too, but after the fence is lifted. */
const QUIET_LOOKS = 5;

/** What has to happen after a backup was restored, before anything is published. */
export function restoreCommands(admin: Command): void {
  admin
    .command('restore-fence')
    .description(
      'after a backup was restored: reconcile everything that may have been published since with the platforms, then let publishing continue; can be interrupted and run again',
    )
    .requiredOption('--since <time>', 'when the backup was made, ISO 8601', time)
    .option('--until <time>', 'when the last publisher stopped that worked on the lost database (default: now)', time)
    .option('--keep', 'keep everything paused at the end; run the command again without it to continue')
    .action(
      asOperator((operator, { since, until, keep = false }: { since: Date; until?: Date; keep?: boolean }) =>
        restore(operator, { since, until }, keep),
      ),
    );
}

async function restore(
  operator: Operator,
  backup: { since: Date; until: Date | undefined },
  keep: boolean,
): Promise<RestoreFence | undefined> {
  const progress = (line: string) => console.error(line);
  const { fence: raised } = await operator.publisher.raiseRestoreFence(backup, operator.as());
  if (raised?.liftedAt) return raised;
  progress('The fence is raised: nothing is published.');
  progress(`${await requestAgain(operator)} running publications are requested again.`);
  await untilReconciled(operator, progress);
  if (keep) return (await operator.publisher.getRestoreFence({}, operator.as())).fence;
  const { fence } = await operator.publisher.liftRestoreFence({}, operator.as());
  progress('The fence is lifted: publishing continues.');
  if (fence?.unknown)
    progress('List those of which the platform cannot tell: npm run --silent admin -- deliveries list --state unknown_outcome');
  return fence;
}

/** Events may have been lost with the backup: each side learns again what the other one knows. */
async function requestAgain(operator: Operator): Promise<number> {
  let requested = 0;
  for (let afterId: string | undefined; afterId !== '';) {
    const page = await operator.content.requestPublicationsAgain({ afterId: afterId ?? '' }, { ...operator.as(), timeoutMs: 60_000 });
    requested += page.requested;
    afterId = page.nextAfterId;
  }
  return requested;
}

/** Until content has requested what is due again, and every delivery that may have been sent is reconciled. */
async function untilReconciled(operator: Operator, progress: (line: string) => void): Promise<void> {
  let shown = '';
  for (let quiet = 0; quiet < QUIET_LOOKS; await pause(LOOK_MS)) {
    const { fence } = await operator.publisher.getRestoreFence({}, operator.as());
    const { oldestDueAt } = await operator.content.getDueBacklog({}, operator.as());
    const { checking = 0, found = 0, absent = 0, unknown = 0, until } = fence ?? {};
    const isBehind = oldestDueAt !== undefined && until !== undefined && oldestDueAt <= until;
    const line = `${checking} being reconciled, ${found} found, ${absent} not published, ${unknown} unknown`;
    if (line !== shown) progress(line);
    quiet = checking > 0 || isBehind || line !== shown ? 0 : quiet + 1;
    shown = line;
  }
}

/** A time with its zone: without one it would be this machine's. */
function time(value: string): Date {
  const date = new Date(value);
  if (Number.isNaN(date.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/i.test(value)) {
    throw new InvalidArgumentError('It must be a time with its zone, such as 2030-01-31T09:00:00Z.');
  }
  return date;
}
