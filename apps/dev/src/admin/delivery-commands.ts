import { DomainError } from '@fanfare/errors';
import { derivedId } from '@fanfare/runtime';
import type { Operator } from '@fanfare/stack';
import { InvalidArgumentError, type Command } from 'commander';
import { asOperator } from './operator/as-operator.ts';
import { pageSize } from './values/counts.ts';
import { duration } from './values/duration.ts';

/** Deliveries of posts to accounts. */
export function deliveryCommands(admin: Command): void {
  const deliveries = admin.command('deliveries').description('deliveries of posts to accounts');
  deliveries
    .command('list')
    .description('list deliveries, newest first; next_page_token continues the list')
    .option('--organization <id>', 'only of this organization')
    .option('--integration <id>', 'only to this account')
    .option('--platform <name>', 'only to this platform')
    .option('--state <state>', 'only open (not ended), pending, processing, waiting, success, failed, or unknown_outcome')
    .option('--older-than <duration>', 'only those requested at least this long ago, such as 30m, 2h or 7d', duration)
    .option('--limit <count>', 'how many, at most 100', pageSize, 20)
    .option('--page-token <token>', 'next_page_token of the previous page', '')
    .action(
      asOperator(async (operator, { organization, integration, olderThan, limit, ...rest }: ListOptions) => {
        const filter = { platform: undefined, state: undefined, ...rest };
        return operator.publisher.listDeliveries(
          { organizationId: organization, integrationId: integration, olderThanMs: olderThan, pageSize: limit, ...filter },
          operator.as(),
        );
      }),
    );
  deliveries
    .command('show')
    .description('show the steps, attempts, error, fence and times of a delivery, or of all deliveries of a post')
    .argument('[id]', 'id of the delivery, as in logs')
    .option('--post <id>', 'id of a post: list all of its deliveries, oldest first')
    .action(async (deliveryId: string | undefined, { post: postId }: { post?: string }) => {
      if ((deliveryId === undefined) === (postId === undefined)) {
        throw new InvalidArgumentError('Give the id of a delivery, or --post with the id of a post.');
      }
      await asOperator(async (operator: Operator) => {
        const { deliveries: found } = await operator.publisher.inspectDeliveries({ deliveryId, postId }, operator.as());
        return postId === undefined ? found[0] : found;
      })({});
    });
  deliveries
    .command('retry')
    .description(
      'make a waiting delivery due now, or publish the post of a failed one to its account again, and to the others that its strategy needs',
    )
    .argument('<id>', 'id of the delivery')
    .requiredOption('--reason <text>', 'reason, for the log')
    .option('--confirm-not-published', 'a person has checked that the platform does not have the post: required if the outcome is unknown')
    .action((deliveryId: string, options: { reason: string; confirmNotPublished?: boolean }) =>
      asOperator((operator: Operator) => retry(operator, { deliveryId, confirmNotPublished: false, ...options }))({}),
    );
  deliveries
    .command('release')
    .description(
      'end the lease of a delivery whose process has died or hangs: another process continues, and the former one can write nothing more',
    )
    .argument('<id>', 'id of the delivery')
    .requiredOption('--reason <text>', 'reason, for the log')
    .action((deliveryId: string, { reason }: { reason: string }) =>
      asOperator(async (operator: Operator) => (await operator.publisher.releaseDelivery({ deliveryId, reason }, operator.as())).delivery)(
        {},
      ),
    );
}

interface ListOptions {
  readonly organization?: string;
  readonly integration?: string;
  readonly platform?: string;
  readonly state?: string;
  readonly olderThan?: number;
  readonly limit: number;
  readonly pageToken: string;
}

/**
 * A failed delivery stays as it is: content, which knows of later publications, publishes the post to the account again, by the same rules as for callers. The id
 * of that publication derives from the delivery, so that a repeated command publishes nothing twice.
 */
async function retry(operator: Operator, request: { deliveryId: string; reason: string; confirmNotPublished: boolean }): Promise<unknown> {
  const { delivery, result } = await operator.publisher.retryDelivery(request, operator.as());
  if (!delivery || result !== 'ended') return { result, delivery };
  const { id, organizationId, businessId, postId, integrationId } = delivery;
  const publicationId = derivedId(id, 'retry');
  const publish = (restrictPublishToIntegrationIds: string[]) =>
    operator.content.publishPost(
      {
        operationId: publicationId,
        publicationId,
        postId,
        restrictPublishTo: [],
        restrictPublishToIntegrationIds,
        confirmNotPublished: request.confirmNotPublished,
        expectedRevisions: [],
      },
      operator.as({ organizationId, businessId }),
    );
  const { post } = await publish([integrationId]).catch((error: unknown) => {
    // The strategy of the post depends on accounts that are not selected.
    if (error instanceof DomainError && error.param === 'restrict_publish_to') return publish([]);
    throw error;
  });
  const current = post?.publishResults.find((each) => each.integrationId === integrationId);
  return { result: current?.publicationId === publicationId ? 'published_again' : 'under_way', publishResult: current };
}
