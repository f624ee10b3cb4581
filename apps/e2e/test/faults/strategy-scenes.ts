import type { Content, Platform as Name } from '@fanfare/connectors';
import { newId } from '@fanfare/runtime';
import type { Integration, Post } from '@fanfare/sdk';
import { aContent, anImage } from '../../../../libs/connectors/test/a-content.ts';
import { copiesOf, knownBy, type Known } from '../../src/agreement.ts';
import { mediaLike } from './media-like.ts';
import { areDeliveriesEnded, attemptsOf, ended, failuresOf, placesOf } from './publishing-scenes.ts';
import type { Place, Run, Scene } from './scene.ts';
import type { Stage } from './stage.ts';

/** A post to several accounts that depend on each other. */
interface Cast {
  readonly strategy: 'primary_first' | 'all_or_nothing';
  /** In this order. */
  readonly targets: readonly Name[];
  readonly content: Content;
  readonly options?: Partial<Record<Name, Record<string, unknown>>>;
  /** Whether the last one rejects it, so that the others are taken back. */
  readonly isRejected?: true;
}

/** Google's content policy rejects telephone numbers. */
const REJECTED_BY_GOOGLE = 'Call us: +49 30 1234567';
const CASTS: Readonly<Record<string, Cast>> = {
  'primary first': {
    ...{ strategy: 'primary_first', targets: ['pinterest', 'tiktok'] },
    content: aContent({ caption: 'In turn', media: [anImage()] }),
    options: { tiktok: { privacy_level: 'PUBLIC_TO_EVERYONE' } },
  },
  'all or nothing': {
    ...{ strategy: 'all_or_nothing', targets: ['instagram', 'x', 'facebook'] },
    content: aContent({ caption: 'All', media: [anImage()] }),
  },
  'all or nothing, rejected': {
    ...{ strategy: 'all_or_nothing', targets: ['linkedin', 'google_business'], isRejected: true },
    content: aContent({ caption: REJECTED_BY_GOOGLE }),
  },
};

/** Publishing by strategies, on different platforms. */
export async function strategyScenes(stage: Stage, onPost: (post: Known) => void): Promise<Scene[]> {
  const { fanfare, tenant } = stage.platform;
  const accounts = await fanfare.integrations.list(tenant.business_id).toArray();
  // The oldest account of each platform; on LinkedIn the page, whose posts can be listed.
  const accountOf = (name: string): Integration =>
    accounts.findLast(({ platform, account_id }) => platform === name && !account_id.includes(':person:'))!;
  const [board] = await fanfare.integrations.choices(tenant.business_id, accountOf('pinterest').id, 'board_id').toArray();
  return Object.entries(CASTS).map(([name, cast]) => {
    const targets = cast.targets.map(accountOf);
    const options: Cast['options'] = { ...cast.options, ...(board && { pinterest: { board_id: board.value } }) };
    return {
      name,
      platforms: cast.targets,
      ...(cast.isRejected && { removes: true as const }),
      onGoodDay: cast.isRejected ? 'taken back' : 'published',
      async prepare() {
        const marker = `#${newId().replaceAll('-', '')}`;
        const media_ids = await Promise.all(
          cast.content.media.map(async (media) => (await fanfare.media.upload(tenant.business_id, { file: await mediaLike(media) })).id),
        );
        const { id } = await fanfare.posts.create(tenant.business_id, {
          caption: `${cast.content.caption} ${marker}`,
          strategy: cast.strategy,
          restrict_publish_to_integration_ids: targets.map((target) => target.id),
          ...(media_ids.length > 0 && { media_ids }),
          platform_overrides: cast.targets.flatMap((platform) => (options[platform] ? [{ platform, options: options[platform] }] : [])),
        });
        onPost(knownBy(id, marker));
        return publishingTogether(stage, { ...cast, options }, { id, marker, targets });
      },
    };
  });
}

function publishingTogether(
  stage: Stage,
  cast: Cast,
  { id, marker, targets }: { readonly id: string; readonly marker: string; readonly targets: readonly Integration[] },
): Run {
  const { fanfare, tenant, sandbox } = stage.platform;
  const contentFor = (name: Name): Content => ({ ...cast.content, options: cast.options?.[name] ?? {} });
  return {
    postId: id,
    begin: () => fanfare.posts.publish(tenant.business_id, id),
    hasEnded: () => areDeliveriesEnded(stage, id),
    attempts: () => attemptsOf(stage, id),
    where: async () => (await placesOf(stage, id, contentFor))[0] ?? takingBack(stage, id),
    whereItFailed: async () =>
      (await failuresOf(stage, id)).find(({ platform }) => !cast.isRejected || platform !== targets.at(-1)?.platform),
    async check(place) {
      const post = await ended(stage, id);
      const copies = copiesOf(knownBy(id, marker), await sandbox.posts());
      const each = targets.map((target) => ({
        result: post.publish_results.find(({ integration_id }) => integration_id === target.id)!,
        copies: copies.filter(({ account_id }) => account_id === target.account_id).length,
      }));
      return { result: summaryOf(cast, each), wrong: [...wrongWith(each), ...wrongTogether(cast, each, place)] };
    },
  };
}

/** A post of it is being removed again. */
async function takingBack({ db }: Stage, postId: string): Promise<Place | undefined> {
  const removal = await db.collection<{ platform: string }>('removals').findOne({ post_id: postId, open: true } as object);
  return removal ? { platform: removal.platform, step: 'take_back', isCommit: false } : undefined;
}

interface Each {
  readonly result: Post['publish_results'][number];
  readonly copies: number;
}

const isPublished = ({ result }: Each): boolean => result.status === 'success';
const isUnknown = ({ result }: Each): boolean => result.error_type === 'unknown_outcome';

function summaryOf({ isRejected }: Cast, each: readonly Each[]): string {
  if (each.some(isUnknown)) return 'unknown_outcome';
  if (each.every(isPublished)) return 'published';
  return isRejected && !each.some(isPublished) ? 'taken back' : outcomesOf(each);
}

const outcomesOf = (each: readonly Each[]): string =>
  each.map(({ result }) => `${result.platform} ${result.error_type ?? result.status}`).join(', ');

/** Each result by itself. */
const wrongWith = (each: readonly Each[]): string[] =>
  each.flatMap((one) => {
    const { platform, status, error_type } = one.result;
    const fits = isPublished(one) ? one.copies === 1 : isUnknown(one) ? one.copies <= 1 : one.copies === 0;
    return fits ? [] : [`It is on ${platform} ${one.copies} times, but its result is ${error_type ?? status}.`];
  });

/** The results together. */
function wrongTogether({ strategy, isRejected }: Cast, each: readonly Each[], place: Place | undefined): string[] {
  const outcomes = outcomesOf(each);
  const [first, ...others] = each;
  const isDoubtful = each.some(isUnknown);
  if (isDoubtful && place && !place.isCommit) return [`An outcome is unknown, although ${place.step} publishes nothing: ${outcomes}`];
  if (strategy === 'primary_first' && first && !isPublished(first)) {
    return others.every(({ result }) => result.error_type === 'primary_failed') ? [] : [`The primary one failed: ${outcomes}`];
  }
  if (isDoubtful) return [];
  if (isRejected) return each.some(isPublished) ? [`One rejected it, and not all were taken back: ${outcomes}`] : [];
  return each.every(isPublished) ? [] : [`Nothing was rejected: ${outcomes}`];
}
