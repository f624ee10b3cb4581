import type { GenerationLimits } from '@fanfare/contracts/generation';
import type { Membership } from '../../accounts/index.ts';
import { generationLimits } from '../../http/limits/plan-limits.ts';

/** What the organization's plan allows, for the generation service. */
export const limitsOf = ({ plan }: Pick<Membership, 'plan'>): GenerationLimits => generationLimits(plan);
