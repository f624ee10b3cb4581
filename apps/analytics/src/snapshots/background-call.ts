import type { CallOptions } from '@fanfare/rpc';

/** The metadata of calls for background work. */
export const backgroundCall = (
  { organization_id, business_id }: { readonly organization_id: string; readonly business_id: string },
  flowId: string,
): CallOptions['call'] => ({
  metadata: { organizationId: organization_id, businessId: business_id, actor: 'system:analytics', requestId: flowId, flowId },
});
