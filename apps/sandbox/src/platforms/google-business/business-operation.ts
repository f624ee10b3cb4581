import type { World } from '../../world/world.ts';
import type { Account } from '../../world/world.ts';
import { googleOperation, type GoogleCall, type GoogleOperation } from '../google/google-operation.ts';
import type { Operation } from '../platform.ts';
import { closedLocation, locationsOf, numberOf, owner } from './accounts.ts';
import { entityNotFound, permissionDenied, quotaExceeded } from './errors.ts';
import { limits, scopes } from './limits.ts';

/** An operation of the Business Profile APIs, which count the calls of each project. */
export function businessOperation({ handle, ...operation }: Omit<GoogleOperation, 'scopes'>): Operation {
  return googleOperation('google_business', {
    ...operation,
    scopes,
    handle(call, sandbox) {
      const { world, config } = sandbox;
      const [service = ''] = operation.hosts;
      spend(world, 'Requests per minute', call.grant.client_id, Math.floor(limits.calls * config.limitsFactor), service, call);
      return handle(call, sandbox);
    },
  });
}

/** Counts a change to a location's posts. */
export function spendEdit(call: GoogleCall, world: World, location: Account, factor: number): void {
  spend(world, 'Edits per minute per profile', location.id, Math.floor(limits.edits * factor), call.host, call);
}

/** The location in the path, if the person manages it and may post for it. */
export function locationOf(call: GoogleCall, world: World): Account {
  const { account, location } = call.params;
  const id = `accounts/${account}/locations/${location}`;
  const found = call.accounts.find((one) => one.id === id);
  if (found) return found;
  const exists = world.accounts.has(id) || id === `${owner}/locations/${numberOf(closedLocation.name)}`;
  throw exists ? permissionDenied() : entityNotFound();
}

/** The location that is named without its account, if the person manages it. */
export function locationByNumber(call: GoogleCall, world: World): Account {
  const isNamed = ({ id }: Account) => numberOf(id) === call.params['location'];
  const found = call.accounts.find(isNamed);
  if (found) return found;
  throw locationsOf(world).some(isNamed) ? permissionDenied() : entityNotFound();
}

function spend(world: World, limit: string, key: string, value: number, service: string, { grant }: GoogleCall): void {
  const { windowMs } = limits;
  const windows = world.table<{ start: number; count: number }>('google_business.windows');
  const id = `${limit}:${key}`;
  const start = Math.floor(world.now() / windowMs) * windowMs;
  const known = windows.get(id);
  const count = known?.start === start ? known.count + 1 : 1;
  windows.set(id, { start, count });
  if (count > value) throw quotaExceeded(limit, value, service, grant.client_id, start + windowMs - world.now());
}
