import { startLeasedLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import type { IntegrationDocument } from '../store/integrations.ts';
import { findDueTokenCheck, postponeTokenCheck } from '../store/token-checks.ts';
import { checkTokens } from './check-tokens.ts';

/** Platforms are asked about this many accounts at a time. */
const SIZE = 4;
const IDLE_MS = 5_000;
/** After a failure of ours. */
const PAUSE_MS = 60_000;

/** Refreshes tokens before they end. Any replica may find an account; who locks it refreshes it. */
export function startTokenChecks(context: Context): Loop {
  const { db, log, config } = context;
  const idleMs = IDLE_MS * config.timeScale;
  return startLeasedLoop<IntegrationDocument>({
    name: 'tokens',
    log,
    size: SIZE,
    idleMs,
    async lease(inFlight) {
      const ids = inFlight.map(({ _id }) => _id);
      return (await findDueTokenCheck(db, ids)) ?? idleMs;
    },
    work: (integration) =>
      checkTokens(context, integration).catch(async (error: unknown) => {
        log.error({ err: error, integration_id: integration._id }, 'a look at the tokens of an account failed');
        await postponeTokenCheck(db, integration, PAUSE_MS * config.timeScale, (integration.refresh_failures ?? 0) + 1).catch(
          () => undefined,
        );
      }),
  });
}
