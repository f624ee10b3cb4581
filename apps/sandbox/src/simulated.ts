import type { Simulated, SimulatedName } from './platforms/platform.ts';
import { platforms } from './platforms/registry.ts';
import { openai } from './providers/openai/index.ts';
import { pexels } from './providers/pexels/index.ts';
import type { ProviderName } from './providers/provider-name.ts';

/** Every simulated provider. */
const providers = { openai, pexels } satisfies Record<ProviderName, Simulated>;

/** Everything that is simulated, by name; the types of the registries ensure that none is missing. */
export const simulated = { ...platforms, ...providers } as Readonly<Record<SimulatedName, Simulated>>;

export const simulatedNames = Object.keys(simulated) as readonly SimulatedName[];

const all = Object.values(simulated);

/** If several share a host, those that recognize their own ids come first. */
export const lookupOrder: readonly Simulated[] = [...all.filter((one) => one.knowsItsOwn), ...all.filter((one) => !one.knowsItsOwn)];
