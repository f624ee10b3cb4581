import type { Acting } from '../../accounts/index.ts';
import type { Exchange } from '../../http/route.ts';

type Changing = Pick<Exchange<unknown, unknown, unknown>, 'organization' | 'caller' | 'call'>;

/** The actor of a change in the organization. */
export const actingOf = ({ organization, caller, call }: Changing): Acting => ({
  organizationId: organization.organizationId,
  actor: call.metadata.actor,
  sessionId: caller.sessionId,
});
