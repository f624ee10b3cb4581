import type { CallMetadata } from '@fanfare/rpc';

/** Which operator asks for something, for the audit log: no address, because their ports are not public. */
export const askedBy = ({ actor, requestId }: CallMetadata) => ({ actor, request: { requestId } });
