import type { Connector } from '../../src/connector.ts';
import type { Platform } from '../../src/platform.ts';
import { connectors } from '../../src/registry.ts';
import { conversationsOf, everyPlatform } from './conversations.ts';
import type { Flow } from './flow.ts';

export interface PublishingFlow {
  readonly platform: Platform;
  /** `photos`: the flow's key, under which its requests are recorded. */
  readonly key: string;
  readonly connector: Connector;
  readonly flow: Flow;
}

/** Every way in which something is published, by platform. */
export const everyFlow: readonly PublishingFlow[] = everyPlatform.flatMap((platform) =>
  Object.entries(conversationsOf(platform).flows).map(([key, flow]) => ({ platform, key, connector: connectors[platform], flow })),
);
