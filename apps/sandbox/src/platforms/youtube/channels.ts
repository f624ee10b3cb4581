import type { Reply } from '../../wire/reply.ts';
import { countsOf, followersOf } from '../../world/statistics.ts';
import { livePostsOf } from '../../world/post.ts';
import type { Account, World } from '../../world/world.ts';
import type { Sandbox } from '../platform.ts';
import { channelsOf, uploadsOf } from './accounts.ts';
import { badParameter } from './errors.ts';
import { limits } from './limits.ts';
import { noFilter, page } from './list-page.ts';
import { partsOf } from './parts.ts';
import { publicVideosOf } from './videos-of.ts';
import type { YoutubeCall } from './youtube-operation.ts';

/** The caller's own channel, or those with the ids. */
export function listChannels({ query, channel }: YoutubeCall, { world }: Sandbox): Reply {
  const parts = partsOf(query, ['id', 'snippet', 'statistics', 'contentDetails']);
  const ids = query.get('id')?.split(',');
  if (query.get('mine') !== 'true' && !ids) throw noFilter('id, mine');
  if (ids && ids.length > limits.idsPerList) throw badParameter('invalidValue', 'The request specifies too many ids.', 'id');
  const channels = ids ? channelsOf(world).filter(({ id }) => ids.includes(id)) : [channel];
  const items = channels.map((one) => channelResource(world, one, parts));
  return page('channel', items, items.length);
}

function channelResource(world: World, channel: Account, parts: string[]) {
  const known: Record<string, () => unknown> = {
    snippet: () => ({
      title: channel.name,
      description: '',
      customUrl: `@${channel.username}`,
      publishedAt: channel.created_at,
      thumbnails: { default: { url: `https://yt3.ggpht.com/${channel.id}=s88`, width: 88, height: 88 } },
    }),
    statistics: () => ({
      viewCount: String(livePostsOf(world, channel.id).reduce((sum, post) => (post.reply_to ? sum : sum + countsOf(world, post).views), 0)),
      subscriberCount: String(roundedDown(followersOf(world, channel))),
      hiddenSubscriberCount: false,
      videoCount: String(publicVideosOf(world, channel.id).length),
    }),
    contentDetails: () => ({ relatedPlaylists: { likes: '', uploads: uploadsOf(channel.id) } }),
  };
  const shown = Object.fromEntries(parts.flatMap((part) => (known[part] ? [[part, known[part]()]] : [])));
  return { kind: 'youtube#channel', id: channel.id, ...shown };
}

/** YouTube rounds the number of subscribers to three digits. */
function roundedDown(count: number): number {
  const unit = 10 ** Math.max(0, String(count).length - 3);
  return Math.floor(count / unit) * unit;
}
