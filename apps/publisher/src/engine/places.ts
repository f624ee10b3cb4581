import type { DueDelivery, Except } from '../store/due-deliveries.ts';
import type { Held } from '../store/pauses.ts';

/** How many of one organization, and to one account, may be under way at a time. */
export interface Caps {
  readonly perOrganization: number;
  readonly perAccount: number;
}

/** Who may take another place, and takes it. */
export interface Places {
  /** Takes one for this delivery, if neither a cap nor an operator is against it. */
  take(due: DueDelivery): boolean;
  /** What can take none: held by operators, or at a cap. */
  except(): Except;
}

/** The places as they are with these deliveries under way. */
export function placesBeside(underWay: readonly DueDelivery[], caps: Caps, held: Held): Places {
  const organizations = new Map<string, number>();
  const integrations = new Map<string, number>();
  const add = ({ organization_id, integration_id }: DueDelivery) => {
    organizations.set(organization_id, (organizations.get(organization_id) ?? 0) + 1);
    integrations.set(integration_id, (integrations.get(integration_id) ?? 0) + 1);
  };
  for (const one of underWay) add(one);

  return {
    take(due) {
      const isFree =
        (organizations.get(due.organization_id) ?? 0) < caps.perOrganization &&
        (integrations.get(due.integration_id) ?? 0) < caps.perAccount &&
        !held.platforms.includes(due.platform) &&
        !held.organizations.includes(due.organization_id) &&
        !held.integrations.includes(due.integration_id);
      if (isFree) add(due);
      return isFree;
    },
    except: () => ({
      platforms: held.platforms,
      organizations: [...atLeast(organizations, caps.perOrganization), ...held.organizations],
      integrations: [...atLeast(integrations, caps.perAccount), ...held.integrations],
    }),
  };
}

const atLeast = (counts: ReadonlyMap<string, number>, cap: number) => [...counts].filter(([, count]) => count >= cap).map(([id]) => id);
