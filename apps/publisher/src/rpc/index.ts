import type { PublisherServiceService } from '@fanfare/contracts/publisher';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { beginConnection } from './begin-connection.ts';
import { completeConnection } from './complete-connection.ts';
import { listIntegrations } from './list-integrations.ts';

export const handlers = (context: Context): Handlers<typeof PublisherServiceService> => ({
  beginConnection: beginConnection(context),
  completeConnection: completeConnection(context),
  listIntegrations: listIntegrations(context),
});
