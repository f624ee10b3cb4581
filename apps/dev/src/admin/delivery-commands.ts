import type { Operator } from '@fanfare/stack';
import { InvalidArgumentError, type Command } from 'commander';
import { asOperator } from './as-operator.ts';

/** Deliveries of posts to accounts. */
export function deliveryCommands(admin: Command): void {
  const deliveries = admin.command('deliveries').description('deliveries of posts to accounts');
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
}
