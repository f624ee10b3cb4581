import type { GetTestClockWorkResponse, TestClockServiceService } from '@fanfare/contracts/clock';
import { DomainError } from '@fanfare/errors';
import { learnClock, movedClocks, startLoop, type Logger, type Loop } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import type { ClockedEvents, ClockedWork, WorkLeft } from './clocked-work.ts';
import { hasClock, listMovedClocks, putClock } from './store/test-clocks.ts';

/** How often a process looks for clocks that were moved through another replica, and for what has become due by a clock that runs by itself. */
const LOOK_MS = 1_000;

type Method = keyof typeof TestClockServiceService;
type Handler<M extends Method> = (
  request: ReturnType<(typeof TestClockServiceService)[M]['requestDeserialize']>,
  call: { readonly metadata: { readonly organizationId: string } },
) => Promise<ReturnType<(typeof TestClockServiceService)[M]['responseDeserialize']>>;

type Left = Pick<GetTestClockWorkResponse, 'openWork' | 'nextStopAt' | 'nextDueAt'>;

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
 */
export async function startTestClocks(options: {
  db: Db;
  log: Logger;
  work: readonly ClockedWork[];
  events?: ClockedEvents;
  begin?: (organizationId: string) => Promise<void>;
}): Promise<TestClocks> {
  const { db, log, work, events, begin } = options;
  let readAt: Date | undefined;

  async function read(): Promise<void> {
    const found = await listMovedClocks(db, readAt);
    for (const { organizationId, aheadMs } of found.clocks) learnClock(organizationId, aheadMs);
    readAt = found.readAt;
  }

  const wake = (organizationId: string, isAll: boolean) => Promise.all(work.map((one) => one.wake(organizationId, isAll)));

  /** What is due next. If something is open, only that, unless more is wanted: this is read often, and most often the first kind of work is open. */
  async function leftOf(organizationId: string, isAllWanted: boolean): Promise<Left> {
    const left: (WorkLeft & { readonly name: string })[] = [];
    for (const one of work) {
      left.push({ ...(await one.left(organizationId, isAllWanted)), name: one.name });
      if (left.at(-1)?.isOpen && !isAllWanted) break;
    }
    return {
      openWork: left.filter(({ isOpen }) => isOpen).map(({ name }) => name),
      nextStopAt: earliest(left.map(({ stopAt }) => stopAt)),
      nextDueAt: earliest(left.map(({ dueAt }) => dueAt)),
    };
  }

  // Before anything of an organization is done by a wrong time.
  await read();
  const loop = startLoop({
    name: 'test-clocks',
    log,
    async run() {
      await read();
      for (const organizationId of movedClocks()) await wake(organizationId, true);
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
        await wake(organizationId, allWork);
        return {};
      },
      async getTestClockWork({ events: given, settledEventIds, despiteOpenWork }, call) {
        const organizationId = organizationOf(call);
        await events?.forget(organizationId, settledEventIds);
        const left = await leftOf(organizationId, despiteOpenWork);
        if (left.openWork.length > 0 && !despiteOpenWork) return { ...left, emitted: [], unhandledEventIds: [] };
        const [emitted, unhandledEventIds] = await Promise.all([events?.emitted(organizationId) ?? [], events?.unhandled(given) ?? []]);
        return { ...left, emitted, unhandledEventIds };
      },
    },
  };
}

const earliest = (times: readonly (Date | undefined)[]): Date | undefined =>
  times.filter((time) => time !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0];

/** @throws DomainError invalid_request */
function organizationOf({ metadata: { organizationId } }: { readonly metadata: { readonly organizationId: string } }): string {
  if (organizationId === '') throw new DomainError('invalid_request', 'A test clock is that of an organization, and the call names none.');
  return organizationId;
}
