import { type TestClockServiceService, type ClockedEvent } from '@fanfare/contracts/clock';
import type { Handlers } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Note } from '../note.ts';

type ServiceName = 'content' | 'publisher' | 'webhooks' | 'analytics' | 'generation' | 'library';

/** What the fake services do at the times of a test clock. */
export interface FakeClock {
  /** Times of posts, in order: content publishes each when the clock comes to it. */
  stops: Date[];
  /** When analytics has something to do. */
  due: Date[];
  /** When posts were published and other work was done, by the organization's clock. */
  readonly done: { readonly what: 'post' | 'other'; readonly dueAt: Date; readonly at: Date }[];
  /** Every advance that a service got, in order. */
  readonly advances: { readonly by: ServiceName; readonly organizationId: string; readonly aheadMs: number; readonly allWork: boolean }[];
  /** Services with open work, until the test removes them. */
  readonly open: Set<ServiceName>;
  /** Events of content that others have not handled. */
  readonly unhandled: Map<string, ClockedEvent>;
}

export const fakeClock = (): FakeClock => ({ stops: [], due: [], done: [], advances: [], open: new Set(), unhandled: new Map() });

/** @param note fails if the test wants the next call to fail */
export const fakeClockOf = (clock: FakeClock, by: ServiceName, note: Note): Handlers<typeof TestClockServiceService> => ({
  async advanceTestClock(request, call) {
    note(`advanceTestClock ${by}`, request, call);
    const { organizationId } = call.metadata;
    clock.advances.push({ by, organizationId, ...request });
    const at = now(organizationId);
    const carryOut = (what: 'post' | 'other', all: Date[]) => {
      for (const dueAt of all.filter((time) => time <= at)) clock.done.push({ what, dueAt, at });
      return all.filter((time) => time > at);
    };
    if (by === 'content') clock.stops = carryOut('post', clock.stops);
    if (by === 'analytics' && request.allWork) clock.due = carryOut('other', clock.due);
    return {};
  },
  async getTestClockWork(request, call) {
    note(`getTestClockWork ${by}`, request, call);
    const isOpen = clock.open.has(by);
    const ids = request.events.map(({ id }) => id);
    return {
      openWork: isOpen ? ['work'] : [],
      nextStopAt: by === 'content' ? clock.stops[0] : undefined,
      nextDueAt: by === 'analytics' ? clock.due[0] : undefined,
      emitted: by === 'content' ? [...clock.unhandled.values()] : [],
      unhandledEventIds: by === 'webhooks' ? ids.filter((id) => clock.unhandled.has(id)) : [],
    };
  },
});
