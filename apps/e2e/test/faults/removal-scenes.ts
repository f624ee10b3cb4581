import { connectors } from '@fanfare/connectors';
import { eventually } from '@fanfare/testing';
import { copiesOf, type Known } from '../../src/agreement.ts';
import { publish } from '../../src/publish.ts';
import { flowPosts, nameOf, type Way } from './flow-posts.ts';
import { areDeliveriesEnded, ended } from './publishing-scenes.ts';
import type { Run, Scene } from './scene.ts';
import type { Stage } from './stage.ts';

/** Unpublishing what was published in these ways, where apps can delete posts: one way for each account and type of media. */
export function removalScenes(stage: Stage, ways: readonly Way[], onPost: (post: Known) => void): Scene[] {
  const make = flowPosts(stage.platform);
  const removable = ways.filter(({ platform }) => connectors[platform].unpublish !== undefined);
  const kinds = new Map(removable.toReversed().map((way) => [`${way.account.id} ${way.content.media[0]?.type}`, way]));
  return [...kinds.values()].toReversed().map((way) => ({
    name: `unpublish ${nameOf(way)}`,
    platforms: [way.platform],
    removes: true,
    onGoodDay: 'removed',
    async prepare() {
      const post = await make(way);
      const id = await publish(stage.platform, post.body);
      onPost({ id, isIn: post.isIn });
      await eventually(() => areDeliveriesEnded(stage, id));
      await ended(stage, id);
      return removing(stage, way, { id, isIn: post.isIn });
    },
  }));
}

function removing(stage: Stage, { platform }: Way, post: Known): Run {
  const { fanfare, tenant, sandbox } = stage.platform;
  const rows = (filter: object) => stage.db.collection('removals').countDocuments({ post_id: post.id, ...filter });
  const place = { platform, step: 'unpublish', isCommit: false };
  return {
    postId: post.id,
    begin: () => fanfare.posts.unpublish(tenant.business_id, post.id),
    hasEnded: async () => (await rows({ open: false })) > 0,
    attempts: async () => [],
    where: async () => place,
    whereItFailed: async () => ((await rows({ failures: { $gt: 0 } })) > 0 ? place : undefined),
    async check() {
      const [result] = (
        await eventually(async () => {
          const read = await ended(stage, post.id);
          return read.publish_results.every(({ removal }) => removal !== null && removal.status !== 'pending') && read;
        })
      ).publish_results;
      const copies = copiesOf(post, await sandbox.posts()).length;
      return { result: result?.removal?.status ?? 'none', wrong: copies > 0 ? ['It was unpublished, but it is there.'] : [] };
    },
  };
}
