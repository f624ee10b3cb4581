import type { Connector } from '../../src/connector.ts';
import { connectors } from '../../src/registry.ts';
import { facebookFlows } from './facebook.ts';
import type { Flow } from './flow.ts';
import { googleBusinessFlows } from './google-business.ts';
import { instagramFlows } from './instagram.ts';
import { linkedinFlows } from './linkedin.ts';
import { pinterestFlows } from './pinterest.ts';
import { tiktokFlows } from './tiktok.ts';
import { xFlows } from './x.ts';
import { youtubeFlows } from './youtube.ts';

export type Name = keyof typeof connectors;

/** Every way in which something is published, by platform. A new connector adds its own. */
export const flows: { readonly [Platform in Name]: Readonly<Record<string, Flow>> } = {
  facebook: facebookFlows,
  google_business: googleBusinessFlows,
  instagram: instagramFlows,
  linkedin: linkedinFlows,
  pinterest: pinterestFlows,
  tiktok: tiktokFlows,
  x: xFlows,
  youtube: youtubeFlows,
};

export interface PublishingFlow {
  readonly platform: Name;
  /** `photos`: the flow's key, under which its requests are recorded. */
  readonly key: string;
  readonly connector: Connector;
  readonly flow: Flow;
}

export const everyFlow: readonly PublishingFlow[] = Object.entries(flows).flatMap(([name, byKind]) =>
  Object.entries(byKind).map(([key, flow]) => ({ platform: name as Name, key, connector: connectors[name as Name], flow })),
);
