import { type ClosureServiceService, EraseResponse, type ErasureServiceService } from '@fanfare/contracts/erasure';
import type { Handlers } from '@fanfare/rpc';
import type { Note } from '../note.ts';

/** What a service responds to `erase`, one after the other; then that nothing is left. */
export type FakeErasures = Map<string, Partial<EraseResponse>[]>;

/** Erasing in a service. Its calls are recorded as `erase <service>`. */
export const fakeErasure = (
  service: string,
  { erasures, holds, note }: { readonly erasures: FakeErasures; readonly holds: ReadonlyMap<string, Promise<void>>; readonly note: Note },
): Handlers<typeof ErasureServiceService> => ({
  async erase(request, call) {
    note(`erase ${service}`, request, call);
    await holds.get(`erase ${service}`);
    return EraseResponse.fromPartial({ done: true, ...erasures.get(service)?.shift() });
  },
});

/** Closing in a service. Its calls are recorded as `setClosure <service>`. */
export const fakeClosure = (service: string, note: Note): Handlers<typeof ClosureServiceService> => ({
  async setClosure(request, call) {
    note(`setClosure ${service}`, request, call);
    return {};
  },
});
