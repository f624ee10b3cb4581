import { connectorFor, type Content, type Published } from '@fanfare/connectors';
import { optionsOver } from '@fanfare/connectors/preflight';
import type { Logger } from '@fanfare/runtime';
import { currentTime } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import type { ErrorType } from '../deliveries/domain/error-type.ts';
import { deliveriesEnded, publishLag } from '../metrics.ts';
import {
  isPublishIdTaken,
  saveDelivery,
  withUnwritten,
  type Change,
  type DeliveryDocument,
  type HeldDelivery,
} from '../deliveries/store/deliveries.ts';
import type { IntegrationDocument } from '../accounts/store/integrations.ts';
import { giveBack } from '../budgets/give-back.ts';
import { move } from './move.ts';
import type { Run } from './run.ts';

/**
 * The delivery is being carried out now, for this account where there is one. The account's settings, and behind them what its platform says of it, stand
 * behind the post's own options from now on. It is told of where media take their time; what is a text alone is over before anybody could read of it, or is
 * told of when it has to wait: that it has begun is written down with its first step.
 */
export async function begin(
  context: Context,
  delivery: DeliveryDocument,
  integration: Pick<IntegrationDocument, 'account_id' | 'observed_options' | 'settings'> | null,
): Promise<HeldDelivery> {
  const account = integration && delivery.account_id === undefined ? { account_id: integration.account_id } : {};
  if (delivery.status === 'DELIVERY_STATUS_PENDING') {
    const { observed_options = {}, settings = {} } = integration ?? {};
    const options = optionsOver(optionsOver(observed_options, settings), delivery.content.options ?? {});
    const content = Object.keys(options).length > 0 ? { content: { ...delivery.content, options } } : {};
    const change = { status: 'DELIVERY_STATUS_PROCESSING', ...account, ...content } as const;
    return delivery.content.media_ids.length > 0 ? move(context, delivery, change) : withUnwritten(delivery, change);
  }
  return withUnwritten(delivery, account);
}

/** The post is on the platform. `more` is what the last step has to write down besides. */
export async function endPublished(
  run: Pick<Run, 'context' | 'delivery' | 'log'>,
  { publishId, postUrl, warning }: Partial<Published>,
  more: Change = {},
): Promise<void> {
  const { context, delivery, log } = run;
  const published_at = delivery.published_at ?? currentTime();
  const warnings = warning === undefined ? delivery.warnings : [...delivery.warnings, warning];
  try {
    await move(context, delivery, {
      ...more,
      status: 'DELIVERY_STATUS_SUCCESS',
      open: false,
      state: {},
      commit: undefined,
      waiting: undefined,
      publish_id: publishId,
      post_url: postUrl && context.platforms.publicUrl(postUrl),
      published_at,
      warnings,
    });
  } catch (error) {
    if (!isPublishIdTaken(error)) throw error;
    // The platform named a post that is another delivery's: whatever that means, it is no proof of ours.
    return endFailed(context, delivery, log)('unknown_outcome', 'The platform answered with the id of another post.');
  }
  const lagMs = Math.max(0, published_at.getTime() - delivery.due_at.getTime());
  publishLag.observe({ platform: delivery.platform }, lagMs / 1000);
  deliveriesEnded.inc({ platform: delivery.platform, outcome: 'success' });
  log.info({ publish_id: publishId, lag_ms: lagMs, attempts: delivery.attempts, warnings }, 'published');
}

/** The delivery ends without a post, or, with `unknown_outcome`, in doubt. */
export const endFailed =
  (context: Context, delivery: HeldDelivery, log: Logger) =>
  async (errorType: ErrorType, message: string): Promise<void> => {
    await move(context, delivery, {
      status: 'DELIVERY_STATUS_FAILED',
      open: false,
      state: {},
      waiting: undefined,
      // Warnings are of a post that stands.
      ...(errorType !== 'unknown_outcome' && { commit: undefined, warnings: [] }),
      error_type: errorType,
      error_message: message,
    });
    if (errorType !== 'unknown_outcome') await giveBack(context, delivery);
    deliveriesEnded.inc({ platform: delivery.platform, outcome: errorType });
    log.warn({ error_type: errorType, error_message: message, attempts: delivery.attempts }, 'delivery failed');
  };

/** Nothing more can be done: the delivery ends as what is known of it, and `errorType` says why only when nothing was published. */
export const giveUp =
  (context: Context, delivery: HeldDelivery, log: Logger) =>
  async (errorType: ErrorType, message: string): Promise<void> => {
    if (delivery.published_at) return endStanding(context, delivery, log, message);
    if (!delivery.commit) return endFailed(context, delivery, log)(errorType, message);
    return endFailed(context, delivery, log)('unknown_outcome', `The answer to the publish call was lost, and nobody can look: ${message}`);
  };

/** The post stands: what was left to do is given up, so that it is still reported as what it is. */
async function endStanding(context: Context, held: HeldDelivery, log: Logger, warning: string): Promise<void> {
  const delivery = await saveDelivery(context.db, held, { begun_follow_up: undefined, warnings: [...held.warnings, warning] });
  const { next } = connectorFor(delivery.platform).publish;
  // What a follow-up would need of the content is of no use any more.
  const content: Content = { caption: delivery.content.caption, media: [] };
  let { state } = delivery;
  for (;;) {
    const coming = next(content, state);
    if ('published' in coming) return endPublished({ context, delivery, log }, coming.published);
    if (coming.step.kind !== 'follow_up') {
      return endPublished({ context, delivery, log }, delivery.publish_id === undefined ? {} : { publishId: delivery.publish_id });
    }
    state = coming.step.givenUp;
  }
}
