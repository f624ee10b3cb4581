import { connectorFor, type Content, type Platform as Name, type State } from '@fanfare/connectors';
import { eventually } from '@fanfare/testing';
import { copiesOf, type Known } from '../../src/agreement.ts';
import { readPost } from '../../src/publish.ts';
import { flowPosts, nameOf, type Way } from './flow-posts.ts';
import type { Place, Run, Scene, Verdict } from './scene.ts';
import type { Stage } from './stage.ts';

/** Publishing in each of these ways. @param onPost called with each post */
export function publishingScenes(stage: Stage, ways: readonly Way[], onPost: (post: Known) => void): Scene[] {
  const { fanfare, tenant } = stage.platform;
  const make = flowPosts(stage.platform);
  return ways.map((way) => ({
    name: nameOf(way),
    platforms: [way.platform],
    onGoodDay: 'success',
    async prepare() {
      const post = await make(way);
      const { id } = await fanfare.posts.create(tenant.business_id, post.body);
      onPost({ id, isIn: post.isIn });
      return publishing(stage, way, { ...post, id });
    },
  }));
}

function publishing(stage: Stage, { platform, content }: Way, post: Known & { readonly content: Content }): Run {
  const { fanfare, tenant, sandbox } = stage.platform;
  return {
    postId: post.id,
    begin: () => fanfare.posts.publish(tenant.business_id, post.id),
    hasEnded: () => areDeliveriesEnded(stage, post.id),
    attempts: () => attemptsOf(stage, post.id),
    where: async () => (await placesOf(stage, post.id, () => post.content))[0],
    whereItFailed: async () => (await failuresOf(stage, post.id))[0],
    async check(place): Promise<Verdict> {
      const [result] = (await ended(stage, post.id)).publish_results;
      const outcome = result?.error_type ?? result?.status ?? 'none';
      const copies = copiesOf(post, await sandbox.posts());
      const comments = copies.flatMap((one) => one.comments).length;
      const wrong: string[] = [];
      if (copies.length > 1) wrong.push(`It is there ${copies.length} times.`);
      if (outcome === 'success' && copies.length === 0) wrong.push('The result is a success, but it is not there.');
      if (outcome !== 'success' && outcome !== 'unknown_outcome') wrong.push(`It failed: ${result?.error_message ?? ''}`);
      if (outcome === 'unknown_outcome' && place && !place.isCommit)
        wrong.push(`Its outcome is unknown, although ${place.step} publishes nothing.`);
      if (comments > 1) wrong.push(`It has ${comments} comments.`);
      if (outcome === 'success' && content.firstComment && comments === 0 && result?.warnings.length === 0)
        wrong.push(`It has no comment, and the result has no warning: ${platform}`);
      return { result: outcome, wrong };
    },
  };
}

interface Row {
  readonly _id: string;
  readonly post_id: string;
  readonly platform: Name;
  readonly open: boolean;
  readonly fence: number;
  readonly released_fence?: number;
  readonly state: State;
}

const rowsOf = ({ db }: Stage, postId: string): Promise<Row[]> => db.collection<Row>('deliveries').find({ post_id: postId }).toArray();

/** Nothing is left to do for the publisher. */
export async function areDeliveriesEnded(stage: Stage, postId: string): Promise<boolean> {
  const rows = await rowsOf(stage, postId);
  const removals = await stage.db.collection('removals').countDocuments({ post_id: postId, open: true });
  return rows.length > 0 && removals === 0 && rows.every(({ open }) => !open);
}

/** The post, once the results are those of ended deliveries. */
export async function ended({ platform }: Stage, postId: string) {
  const isEnded = (status: string) => status === 'success' || status === 'failed';
  return eventually(async () => {
    const post = await readPost(platform, postId);
    return post.publish_results.length > 0 && post.publish_results.every(({ status }) => isEnded(status)) && post;
  });
}

/** The next steps of the deliveries that a process has leased. */
export async function placesOf(stage: Stage, postId: string, contentFor: (platform: Name) => Content): Promise<Place[]> {
  const leased = (await rowsOf(stage, postId)).filter(({ open, fence, released_fence = 0 }) => open && fence > released_fence);
  return leased.flatMap(({ platform, state }) => {
    const next = connectorFor(platform).publish.next(contentFor(platform), state);
    return 'step' in next ? [{ platform, step: next.step.name, isCommit: next.step.kind === 'commit' }] : [];
  });
}

/** When each call that makes a post public began, by its timeline. */
export async function attemptsOf({ platform: { fanfare, tenant } }: Stage, postId: string): Promise<{ platform: string; at: string }[]> {
  const entries = await fanfare.posts.timeline(tenant.business_id, postId, { limit: 100 }).toArray();
  return entries.flatMap(({ kind, platform, at }) => (kind === 'attempt' ? [{ platform: platform ?? '', at }] : []));
}

/** The steps of a post that failed, or whose response was lost, by its timeline; one that makes the post public comes first. */
export async function failuresOf({ platform: { fanfare, tenant } }: Stage, postId: string): Promise<Place[]> {
  const entries = await fanfare.posts.timeline(tenant.business_id, postId, { limit: 100 }).toArray();
  const places = entries.flatMap((entry) => {
    if (entry.kind !== 'step' || entry.details.outcome === 'ok') return [];
    return [{ platform: entry.platform ?? '', step: entry.details.step, isCommit: entry.details.step_kind === 'commit' }];
  });
  return places.toSorted((a, b) => Number(b.isCommit) - Number(a.isCommit));
}
