import type { Db } from 'mongodb';
import type { DeliveryDocument } from '../deliveries/store/deliveries.ts';
import { findHeld, heldBy, type Held, type PauseDocument } from './store/pauses.ts';

/** What operators hold, read at most once a second however many deliveries ask: it is as it was a second ago at most. */
export function createHeldReader(db: Db): () => Promise<Held> {
  let known: { readonly at: number; readonly held: Promise<Held> } | undefined;
  return () => {
    if (!known || performance.now() - known.at > HELD_REMEMBERED_MS) known = { at: performance.now(), held: findHeld(db) };
    const { held } = known;
    held.catch(() => (known = undefined));
    return held;
  };
}

/** So long after a pause was written down, every process heeds it. */
export const HELD_REMEMBERED_MS = 1_000;

export function isHeld({ everything, platforms, organizations, integrations }: Held, delivery: DeliveryDocument): boolean {
  const { platform, organization_id, integration_id } = delivery;
  return everything || platforms.includes(platform) || organizations.includes(organization_id) || integrations.includes(integration_id);
}

/** The ids of those pauses that hold a delivery that has not ended. */
export const pausesOf = (pauses: readonly PauseDocument[], delivery: DeliveryDocument): string[] =>
  delivery.open ? pauses.filter((pause) => isHeld(heldBy([pause]), delivery)).map(({ _id }) => _id) : [];
