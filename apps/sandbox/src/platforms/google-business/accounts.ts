import type { Account, World } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';

/** The Google account to which all of the sandbox's locations belong. */
export const owner = 'accounts/104500000000000000001';

/** Never verified, so that there is always a location without posts; it cannot be connected. */
export const closedLocation = { name: 'locations/1045000000000000000', title: 'Fanfare Demo Pier (not verified)' };

/** A verified location, which can have posts. Its id is `accounts/A/locations/L`. */
export function createLocation({ world }: Sandbox, fields: { username: string; name: string }): Account {
  const location: Account = {
    ...fields,
    id: `${owner}/locations/1045${String(world.nextNumber()).padStart(15, '0')}`,
    platform: 'google_business',
    created_at: new Date(world.now()).toISOString(),
    // Locations have no followers: this is the size from which their statistics are generated.
    followers: 400,
    linked_id: null,
  };
  world.accounts.set(location.id, location);
  world.touched();
  return location;
}

export const locationsOf = (world: World) => [...world.accounts.values()].filter(({ platform }) => platform === 'google_business');

/** The part after the last slash: `4` of `accounts/1/locations/4`. */
export const numberOf = (name: string) => name.slice(name.lastIndexOf('/') + 1);
