import { ContentServiceService } from '@fanfare/contracts/content';
import { AdminServiceService } from '@fanfare/contracts/gateway';
import { PublisherServiceService } from '@fanfare/contracts/publisher';
import { TimelineServiceService } from '@fanfare/contracts/timeline';
import { WebhooksServiceService } from '@fanfare/contracts/webhooks';
import { createRpcClient, systemCall } from '@fanfare/rpc';
import { createLogger, createPeerTls, type PeerTlsSettings } from '@fanfare/runtime';

/** Addresses (host:port) of the services' internal ports. */
export interface AdminAddresses {
  readonly gateway: string;
  readonly content: string;
  readonly publisher: string;
  readonly webhooks: string;
}

export type Operator = ReturnType<typeof createOperator>;

/**
 * Clients of the services' internal ports, for operators.
 * @param tlsFiles the operator's certificate; absent if the services are on this machine
 */
export function createOperator(addresses: AdminAddresses, tlsFiles?: PeerTlsSettings) {
  const log = createLogger('operator', 'silent');
  const tls = tlsFiles && createPeerTls(tlsFiles, log);
  const gateway = createRpcClient({ target: 'gateway', address: addresses.gateway, definition: AdminServiceService, log, tls });
  const content = createRpcClient({
    target: 'content',
    address: addresses.content,
    definition: { ...ContentServiceService, ...TimelineServiceService },
    log,
    tls,
  });
  const publisher = createRpcClient({
    target: 'publisher',
    address: addresses.publisher,
    definition: { ...PublisherServiceService, ...TimelineServiceService },
    log,
    tls,
  });
  const webhooks = createRpcClient({ target: 'webhooks', address: addresses.webhooks, definition: WebhooksServiceService, log, tls });
  return {
    gateway: gateway.client,
    content: content.client,
    publisher: publisher.client,
    webhooks: webhooks.client,
    /** The caller, and the tenant that a call is for. */
    as: (scope: { organizationId?: string; businessId?: string } = {}) => ({ call: { metadata: systemCall('operator', scope) } }),
    close() {
      for (const each of [gateway, content, publisher, webhooks]) each.close();
      tls?.close();
    },
  };
}
