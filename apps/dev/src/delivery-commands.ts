import type { Operator } from '@fanfare/stack';
import { InvalidArgumentError, type Command } from 'commander';
import { answer } from './admin-answer.ts';

/** Posts on their way to accounts. */
export function deliveryCommands(admin: Command): void {
  const deliveries = admin.command('deliveries').description('posts on their way to accounts');
  deliveries
    .command('show')
    .description('show how a delivery went: steps, attempts, error, fence, times; with --post, all deliveries of a post as a list')
    .argument('[id]', "the delivery's id, as in logs")
    .option('--post <id>', 'all deliveries of this post, the oldest first')
    .action(async (deliveryId: string | undefined, { post: postId }: { post?: string }) => {
      if ((deliveryId === undefined) === (postId === undefined)) {
        throw new InvalidArgumentError("Give a delivery's id, or --post and a post's id.");
      }
      await answer(async (operator: Operator) => {
        const { deliveries: found } = await operator.publisher.inspectDeliveries({ deliveryId, postId }, operator.as());
        return postId === undefined ? found[0] : found;
      })({});
    });
}
