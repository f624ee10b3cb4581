import type { TestClockServiceService } from '@fanfare/contracts/clock';
import { DomainError } from '@fanfare/errors';
import { learnClock, movedClocks, startLoop, type Logger, type Loop } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { ClockedEvents, ClockedWork } from './clocked-work.ts';
import { hasClock, listMovedClocks, putClock } from './store/test-clocks.ts';

/** How often a process looks for clocks that were moved through another replica, and for what has become due by a clock that just goes on. */
const LOOK_MS = 1_000;

type Method = keyof typeof TestClockServiceService;
type Handler<M extends Method> = (
  request: ReturnType<(typeof TestClockServiceService)[M]['requestDeserialize']>,
  call: { readonly metadata: { readonly organizationId: string } },
) => Promise<ReturnType<(typeof TestClockServiceService)[M]['responseDeserialize']>>;

/** The part of a service in the test clocks of organizations. */
export interface TestClocks extends Loop {
  /** Of `TestClockService`. */
  readonly handlers: { readonly [M in Method]: Handler<M> };
}

/**
 * Follows the test clocks of organizations: serves the gateway, which moves them, and wakes what is due by them. The clocks are stored in the service's own
 * database, so that all its processes know them, also after a restart.
 * @param options.work what is due by them
 * @param options.begin what has to be prepared before the clock of an organization is moved for the first time. May be called again
 * @param options.onMoved something may be due now: wake the loops
 */
export async function startTestClocks(options: {
  db: Db;
  log: Logger;
  work: readonly ClockedWork[];
  events?: ClockedEvents;
  begin?: (organizationId: string) => Promise<void>;
  onMoved?: () => void;
}): Promise<TestClocks> {
  const { db, log, work, events, begin, onMoved = () => undefined } = options;
  const stops = work.filter((one) => one.stops);
  let readAt: Date | undefined;

  async function read(): Promise<void> {
    const found = await listMovedClocks(db, readAt);
    for (const { organizationId, aheadMs } of found.clocks) learnClock(organizationId, aheadMs);
    readAt = found.readAt;
  }

  async function wake(organizationId: string, of = work): Promise<number> {
    const woken = await Promise.all(of.map(async (one) => (await one.wake?.(organizationId)) ?? 0));
    return woken.reduce((sum, count) => sum + count, 0);
  }

  // Before anything of an organization is done by a wrong time.
  await read();
  const loop = startLoop({
    name: 'test-clocks',
    log,
    async run() {
      await read();
      let woken = 0;
      for (const organizationId of movedClocks()) woken += await wake(organizationId);
      if (woken > 0) onMoved();
      return LOOK_MS;
    },
  });

  return {
    ...loop,
    handlers: {
      async advanceTestClock({ aheadMs, allWork }, call) {
        const organizationId = organizationOf(call);
        learnClock(organizationId, aheadMs);
        if (allWork) {
          if (begin && !(await hasClock(db, organizationId))) await begin(organizationId);
          await putClock(db, organizationId, aheadMs);
        }
        await wake(organizationId, allWork ? work : stops);
        onMoved();
        return {};
      },
      async getTestClockWork({ events: asked, settledEventIds }, call) {
        const organizationId = organizationOf(call);
        await events?.forget(organizationId, settledEventIds);
        const [left, emitted, unhandledEventIds] = await Promise.all([
          Promise.all(work.map(async (one) => ({ ...(await one.left(organizationId)), name: one.name, stops: one.stops }))),
          events?.emitted(organizationId) ?? [],
          events?.unhandled(asked) ?? [],
        ]);
        return {
          openWork: left.filter(({ isOpen }) => isOpen).map(({ name }) => name),
          nextStopAt: earliest(left.filter(({ stops }) => stops)),
          nextDueAt: earliest(left.filter(({ stops }) => !stops)),
          emitted,
          unhandledEventIds,
        };
      },
    },
  };
}

const earliest = (left: readonly { readonly nextAt?: Date | undefined }[]): Date | undefined =>
  left.reduce<Date | undefined>((first, { nextAt }) => (nextAt && (!first || nextAt < first) ? nextAt : first), undefined);

/** @throws DomainError invalid_request */
function organizationOf({ metadata: { organizationId } }: { readonly metadata: { readonly organizationId: string } }): string {
  if (organizationId === '') throw new DomainError('invalid_request', 'A test clock is that of an organization, and the call names none.');
  return organizationId;
}
