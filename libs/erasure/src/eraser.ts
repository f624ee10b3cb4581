import type { EraseRequest, EraseResponse } from '@fanfare/contracts/erasure';
import { DomainError } from '@fanfare/errors';
import type { Logger } from '@fanfare/runtime';
import type { Db } from 'mongodb';
import { putTombstones } from './store/tombstones.ts';

/** The businesses, or the organization, whose data is erased. */
export type Erased = EraseRequest;

/**
 * Erases a kind of data, at most `limit` items at a time: it is called again until it returns 0. It may be repeated after a crash at any point.
 * @returns how many it erased
 * @throws NotYet
 */
export type EraseStep = (erased: Erased, limit: number) => Promise<number>;

/** Something has to end before this can be erased. The step is tried again with the next call. */
export class NotYet extends Error {
  override readonly name = 'NotYet';

  readonly waitingFor: string;

  /** @param waitingFor for operators, such as `3 deliveries` */
  constructor(waitingFor: string) {
    super(`Erasing waits for ${waitingFor}.`);
    this.waitingFor = waitingFor;
  }
}

const BATCH = 500;
/** Much shorter than the deadline of the call, so that a batch that takes long ends within it. */
const CALL_MS = 4_000;

/**
 * Handles `ErasureService.Erase`: writes the tombstones, then runs the steps in order, each until it has nothing left. The work of one call is limited by
 * time; the caller repeats it.
 */
export function eraser(
  db: Db,
  steps: Readonly<Record<string, EraseStep>>,
  { callMs = CALL_MS, batch = BATCH }: { readonly callMs?: number; readonly batch?: number } = {},
): (request: EraseRequest, call: { readonly log: Logger }) => Promise<EraseResponse> {
  return async (request, { log }) => {
    if (request.organizationId === '')
      throw new DomainError('missing_field', 'Erasing requires an organization.', { param: 'organization_id' });
    const end = performance.now() + callMs;
    await putTombstones(db, request);
    let erased = 0;
    for (const [name, step] of Object.entries(steps)) {
      try {
        for (let count = await step(request, batch); count > 0; count = await step(request, batch)) {
          erased += count;
          if (performance.now() >= end) return { done: false, erased, waitingFor: '' };
        }
      } catch (error) {
        if (!(error instanceof NotYet)) throw error;
        log.info({ erased_organization_id: request.organizationId, step: name, waiting_for: error.waitingFor }, 'erasing waits');
        return { done: false, erased, waitingFor: error.waitingFor };
      }
    }
    return { done: true, erased, waitingFor: '' };
  };
}
