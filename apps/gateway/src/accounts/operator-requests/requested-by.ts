import type { CallMetadata } from '@fanfare/rpc';

/** The operator who makes a request, for the audit log. Without an address, because the ports of operators are not public. */
export const requestedBy = ({ actor, requestId }: CallMetadata) => ({ actor, request: { requestId } });
