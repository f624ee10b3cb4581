import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { beginConnection } from './begin-connection.ts';
import { chooseAccounts } from './choose-accounts.ts';
import { completeConnection } from './complete-connection.ts';
import { connectCanary } from './connect-canary.ts';
import { countSecrets } from './count-secrets.ts';
import { deauthorizeMetaUser } from './deauthorize-meta-user.ts';
import { deleteMetaUserData } from './delete-meta-user-data.ts';
import { deletePause } from './delete-pause.ts';
import { disconnectIntegration } from './disconnect-integration.ts';
import { erase } from './erase.ts';
import { finishConnection } from './finish-connection.ts';
import { getConnection } from './get-connection.ts';
import { getDataDeletion } from './get-data-deletion.ts';
import { getIntegration } from './get-integration.ts';
import { getRestoreFence } from './get-restore-fence.ts';
import { inspectDeliveries } from './inspect-deliveries.ts';
import { lendAccess } from './lend-access.ts';
import { liftRestoreFence } from './lift-restore-fence.ts';
import { listChoices } from './list-choices.ts';
import { listDeliveries } from './list-deliveries.ts';
import { listEntries } from './list-entries.ts';
import { listIntegrations } from './list-integrations.ts';
import { listPauses } from './list-pauses.ts';
import { listPlatformHealth } from './list-platform-health.ts';
import { putPause } from './put-pause.ts';
import { raiseRestoreFence } from './raise-restore-fence.ts';
import { refreshIntegration } from './refresh-integration.ts';
import { releaseDelivery } from './release-delivery.ts';
import { retryDelivery } from './retry-delivery.ts';
import { rotateSecrets } from './rotate-secrets.ts';
import type { served } from './rpc.ts';
import { setClosure } from './set-closure.ts';
import { updateIntegration } from './update-integration.ts';
import { verifyLedger } from './verify-ledger.ts';

export const handlers = (context: Context): Handlers<typeof served> => ({
  beginConnection: beginConnection(context),
  completeConnection: completeConnection(context),
  finishConnection: finishConnection(context),
  getConnection: getConnection(context),
  chooseAccounts: chooseAccounts(context),
  listIntegrations: listIntegrations(context),
  erase: erase(context),
  getIntegration: getIntegration(context),
  updateIntegration: updateIntegration(context),
  disconnectIntegration: disconnectIntegration(context),
  refreshIntegration: refreshIntegration(context),
  listChoices: listChoices(context),
  listEntries: listEntries(context),
  lendAccess: lendAccess(context),
  putPause: putPause(context),
  listPauses: listPauses(context),
  deletePause: deletePause(context),
  inspectDeliveries: inspectDeliveries(context),
  listDeliveries: listDeliveries(context),
  retryDelivery: retryDelivery(context),
  releaseDelivery: releaseDelivery(context),
  raiseRestoreFence: raiseRestoreFence(context),
  getRestoreFence: getRestoreFence(context),
  liftRestoreFence: liftRestoreFence(context),
  listPlatformHealth: listPlatformHealth(context),
  connectCanary: connectCanary(context),
  rotateSecrets: rotateSecrets(context),
  setClosure: setClosure(context),
  countSecrets: countSecrets(context),
  deauthorizeMetaUser: deauthorizeMetaUser(context),
  deleteMetaUserData: deleteMetaUserData(context),
  getDataDeletion: getDataDeletion(context),
  verifyLedger: verifyLedger(context),
});
