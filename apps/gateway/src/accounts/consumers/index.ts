import { topics } from '@fanfare/contracts';
import { on, onAll, type Subscription } from '@fanfare/events';
import { isCanary } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { endpointDisabled } from './endpoint-disabled.ts';
import { integrationChanged } from './integration-changed.ts';
import { hasFailed, postChanged } from './post-changed.ts';

export const subscriptions = (context: Context): readonly Subscription[] => [
  // Nobody gets mail about the canary: health reports it.
  onAll(topics.postChanged, postChanged(context), { concerns: (data) => hasFailed(data) && !isCanary(data.organizationId) }),
  on(topics.integrationChanged, integrationChanged(context), {
    concerns: ({ integration }) => !isCanary(integration?.organizationId ?? ''),
  }),
  on(topics.endpointDisabled, endpointDisabled(context)),
];
