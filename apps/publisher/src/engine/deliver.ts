import { checkContent, checkOptions, type Content } from '@fanfare/connectors';
import { DomainError } from '@fanfare/errors';
import type { Held } from '@fanfare/leased-work';
import { currentMs } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { readIntegration } from '../accounts/store/integrations.ts';
import { conversionWarnings } from '../content/domain/conversion-warnings.ts';
import { refusalOf } from '../content/domain/refusal-of.ts';
import { releaseDelivery, saveDelivery, type DeliveryDocument } from '../deliveries/store/deliveries.ts';
import { ConversionFailed, ConversionUnderWay, convertMedia } from '../content/convert-media.ts';
import { begin, endPublished, giveUp } from './end.ts';
import { handleFailure } from './handle-failure.ts';
import { holdBudget } from './hold-budget.ts';
import { isHeld } from '../pauses/domain/held.ts';
import { loadContent } from '../content/load-content.ts';
import { reconcile, unreadable } from './reconcile.ts';
import { REFRESH_PAUSE_MS, refreshTokens } from './refresh-tokens.ts';
import { connectorOf, type Run } from './run.ts';
import { runStep } from './run-step.ts';
import { hold } from './wait.ts';

/** A token that ends within this is refreshed before it is used. */
const REFRESH_AHEAD_MS = 5 * 60_000;
const LIBRARY_PAUSE_MS = 2_000;
const CONVERSION_PAUSE_MS = 1_000;
const DISCONNECTED_BEFORE = 'This account was disconnected before the post was sent.';

/** A process that dies gives its deliveries up after this. */
export const leaseMsOf = ({ config }: Context): number => 10_000 * config.deadlineScale;
/** By the database's clock. */
const leasedAt = (context: Context, { run_at }: DeliveryDocument) => new Date(run_at.getTime() - leaseMsOf(context));

/** What stands in every log line about it. */
export const idsOf = ({ _id, post_id, organization_id, platform, flow_id }: DeliveryDocument) => ({
  delivery_id: _id,
  post_id,
  organization_id,
  platform,
  flow_id,
});

/**
 * Carries a delivery on from what is written down until it ends, has to wait, or the process stops. Whatever happens in here, another
 * process can go on from the row.
 */
export async function deliver(context: Context, { row: delivery, stopping, log }: Held<DeliveryDocument>): Promise<void> {
  const run = await prepare();
  if (run) await advance(run);

  async function prepare(): Promise<Run | undefined> {
    const commit = delivery.commit;
    if (commit && leasedAt(context, delivery) < commit.settled_at)
      return void (await releaseDelivery(context.db, delivery, { at: commit.settled_at }));
    const integration = await readIntegration(context.db, delivery.integration_id);
    const begun = await begin(context, delivery, integration);
    const end = giveUp(context, begun, log);

    if (!integration || integration.status === 'INTEGRATION_STATUS_DISCONNECTED') {
      const wasBegun = delivery.status !== 'DELIVERY_STATUS_PENDING';
      return void (await end('permission_denied', wasBegun ? 'This account is no longer connected.' : DISCONNECTED_BEFORE));
    }
    // Connected again since: that is no reason to publish what was given up then.
    if (!commit && integration.disconnected_at && delivery.created_at <= integration.disconnected_at) {
      return void (await end('permission_denied', DISCONNECTED_BEFORE));
    }
    if (integration.status === 'INTEGRATION_STATUS_EXPIRED') {
      return void (await end('token_expired', 'This account has to be connected again.'));
    }

    const connector = connectorOf(begun);
    let given: Content;
    let content: Content;
    try {
      given = await loadContent(context, begun);
      content = await convertMedia(context, connector, given, begun);
    } catch (error) {
      if (error instanceof ConversionUnderWay) {
        return void (await releaseDelivery(context.db, begun, { inMs: CONVERSION_PAUSE_MS * context.config.timeScale }));
      }
      if (error instanceof ConversionFailed) return void (await end('media_failed', error.message));
      if (error instanceof DomainError && error.code === 'resource_not_found')
        return void (await end('media_failed', 'A picture or video of this post no longer exists.'));
      log.warn({ err: error }, 'the content cannot be loaded yet');
      // Not a failure of the delivery's: it waits for our own library as long as that takes.
      return void (await releaseDelivery(context.db, begun, { inMs: LIBRARY_PAUSE_MS * context.config.timeScale }));
    }
    const isUntouched = !commit && Object.keys(begun.state).length === 0;
    const kind = connector.accountKind?.(integration.account_id);
    const [finding] = isUntouched ? [...checkOptions(connector, content.options), ...checkContent(connector, content, kind)] : [];
    if (finding) return void (await end('validation_failed', refusalOf(finding, content, connector.limits, begun.content)));
    const warnings = isUntouched && begun.warnings.length === 0 ? conversionWarnings(connector, given, begun.content) : [];
    const warned = warnings.length > 0 ? await saveDelivery(context.db, begun, { warnings }) : begun;
    const run: Run = { context, log, connector, content, integration, refreshed: false, delivery: warned };
    return (await refreshAhead(run)) ? run : undefined;
  }

  async function refreshAhead(run: Run): Promise<boolean> {
    const ends = run.integration.token_expires_at?.getTime();
    if (ends === undefined || ends - currentMs() > REFRESH_AHEAD_MS) return true;
    // Good to its last second: what comes after that the platform says itself.
    if (run.integration.refreshable === false) return true;
    const problem = await refreshTokens(run);
    if (problem === undefined || ends > currentMs()) return true;
    if (problem === 'under_way') {
      await releaseDelivery(context.db, run.delivery, { inMs: REFRESH_PAUSE_MS * context.config.timeScale });
      return false;
    }
    // What became of a commit is a question to read for; as long as it is open nothing may forget it.
    return run.delivery.commit ? unreadable(run, problem) : handleFailure(run, problem);
  }

  /** Runs step after step. Each of them writes down what it is about to do and what came of it. */
  async function advance(run: Run): Promise<void> {
    if (run.delivery.commit && !(await reconcile(run))) return;
    for (;;) {
      const next = run.connector.publish.next(run.content, run.delivery.state);
      if ('published' in next) return endPublished(run, next.published);
      if (stopping.aborted) return releaseDelivery(context.db, run.delivery, { inMs: 0 });
      if (next.step.kind !== 'follow_up' && !(await holdBudget(run, next.step))) return;
      // Held since it was leased, perhaps. Whoever puts a pause is answered when every process heeds it, so that nothing becomes public after that.
      if (next.step.kind === 'commit' && isHeld(await context.held(), run.delivery)) return hold(run);
      if (!(await runStep(run, next.step))) return;
    }
  }
}
