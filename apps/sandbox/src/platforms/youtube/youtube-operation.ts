import type { Account, World } from '../../world/world.ts';
import { googleOperation, type GoogleCall, type GoogleOperation } from '../google/google-operation.ts';
import type { Operation, Sandbox } from '../platform.ts';
import { quotaExceeded } from './errors.ts';
import { limits } from './limits.ts';

export interface YoutubeCall extends GoogleCall {
  channel: Account;
}

interface YoutubeOperation extends Omit<GoogleOperation, 'handle'> {
  /** The daily quota of the project that it uses, and how much; parts of an upload use none. */
  cost: { bucket: keyof typeof limits.quota; units: number } | null;
  handle: (call: YoutubeCall, sandbox: Sandbox) => ReturnType<GoogleOperation['handle']>;
}

/** A call for the channel that the person chose. It uses quota even when it is rejected. */
export function youtubeOperation({ cost, handle, ...operation }: YoutubeOperation): Operation {
  return googleOperation('youtube', {
    ...operation,
    handle(call, sandbox) {
      const { world, config } = sandbox;
      if (cost && !spend(world, `${cost.bucket}:${call.grant.client_id}`, cost.units, limits.quota[cost.bucket] * config.limitsFactor)) {
        throw quotaExceeded();
      }
      const [channel] = call.accounts;
      return handle({ ...call, channel }, sandbox);
    },
  });
}

function spend(world: World, key: string, units: number, limit: number): boolean {
  const days = world.table<{ day: string; spent: number }>('youtube.quota');
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(world.now());
  const known = days.get(key);
  const spent = (known?.day === day ? known.spent : 0) + units;
  if (spent > limit) return false;
  days.set(key, { day, spent });
  return true;
}
