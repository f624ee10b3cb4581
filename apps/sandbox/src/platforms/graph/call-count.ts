import type { World } from '../../world/world.ts';

type Counts = Map<string, { windowStart: number; count: number }>;

const countsOf = new WeakMap<World, Counts>();

/** Counts this call and returns how many there were in the current fixed window. */
export function calls(world: World, key: string, windowMs: number): number {
  const perKey: Counts = countsOf.get(world) ?? new Map<string, { windowStart: number; count: number }>();
  countsOf.set(world, perKey);
  const windowStart = Math.floor(world.now() / windowMs) * windowMs;
  const known = perKey.get(key);
  const count = known?.windowStart === windowStart ? known.count + 1 : 1;
  perKey.set(key, { windowStart, count });
  return count;
}
