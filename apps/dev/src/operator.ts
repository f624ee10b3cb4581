import { ContentServiceService } from '@fanfare/contracts/content';
import { AdminServiceService } from '@fanfare/contracts/gateway';
import { PublisherServiceService } from '@fanfare/contracts/publisher';
import { createRpcClient, systemCall } from '@fanfare/rpc';
import { createLogger } from '@fanfare/runtime';
import type { AdminAddresses } from './dev-file.ts';

export type Operator = ReturnType<typeof createOperator>;

/** Clients of the services' internal ports, which is how an operator acts. */
export function createOperator(addresses: AdminAddresses) {
  const log = createLogger('dev', 'silent');
  const gateway = createRpcClient({ target: 'gateway', address: addresses.gateway, definition: AdminServiceService, log });
  const content = createRpcClient({ target: 'content', address: addresses.content, definition: ContentServiceService, log });
  const publisher = createRpcClient({ target: 'publisher', address: addresses.publisher, definition: PublisherServiceService, log });
  return {
    gateway: gateway.client,
    content: content.client,
    publisher: publisher.client,
    /** Who calls, and for whom. */
    as: (scope: { organizationId?: string; businessId?: string } = {}) => ({ call: { metadata: systemCall('dev', scope) } }),
    close() {
      for (const each of [gateway, content, publisher]) each.close();
    },
  };
}
