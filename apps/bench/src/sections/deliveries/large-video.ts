import { connectAccounts } from '@fanfare/stack';
import type { BenchPlatform } from '../../platform.ts';
import type { Figure } from '../figure.ts';
import { growth, growthFigures, oursOf } from '../growth.ts';
import { upload } from '../library/media-api.ts';
import { largeVideo, makeVideo } from '../library/videos.ts';
import { publish, whenPublished } from './publish.ts';

const GROWTH_MB = 80;
const WARM_UP_BYTES = 16e6;
const LIMIT_MS = 10 * 60_000;
const PLATFORM = 'youtube';

/** The maximum growth of each of our processes while a large video is published. The sandbox keeps it in memory, and is left out. */
export async function largeVideoDelivery(
  platform: BenchPlatform,
  folder: string,
  megabytes: number,
  say: (line: string) => void,
): Promise<Figure[]> {
  const { operator, organizationId, businessId, baseUrl } = platform;
  await connectAccounts(operator, { platforms: [PLATFORM], organizationId, businessId, redirectUri: `${baseUrl}/oauth/callback` });
  const small = await makeVideo(folder, { seconds: 1, size: '320x240' });
  const deliver = async (mediaId: string) => {
    const options = { privacy_status: 'private' };
    const post = {
      caption: 'Bench',
      media_ids: [mediaId],
      restrict_publish_to: [PLATFORM],
      platform_overrides: [{ platform: PLATFORM, options }],
    };
    await whenPublished(platform, await publish(platform, post), LIMIT_MS);
  };
  const first = await upload(platform, (await largeVideo(small, WARM_UP_BYTES)).bytes());
  await deliver(first.id);
  const large = await upload(platform, (await largeVideo(small, megabytes * 1e6)).bytes());
  say(`publishing a video of ${megabytes} MB`);
  const { sandbox: _, ...measured } = oursOf(platform.processes);
  const grown = await growth(measured, () => deliver(large.id));
  return growthFigures(`a video of ${megabytes} MB to YouTube`, grown, GROWTH_MB);
}
