import type { Content, MainStep } from '../connector.ts';
import { requiredAt } from '../calls/fields.ts';
import { options } from './options.ts';
import { type Creator, done, type Progress } from './progress.ts';
import { tiktokCall } from './tiktok-call.ts';

/** Sends TikTok the URLs of the photos. TikTok then fetches and publishes them by itself. @param creator undefined for a draft */
export function publishPhotos(content: Content, progress: Progress, creator?: Creator): MainStep {
  return {
    name: 'publish_photos',
    kind: 'commit',
    async run(call) {
      const chosen = options.parse(content.options ?? {});
      const json = {
        media_type: 'PHOTO',
        post_mode: creator ? 'DIRECT_POST' : 'MEDIA_UPLOAD',
        post_info: {
          ...(content.title && { title: content.title }),
          description: content.caption,
          ...(creator && {
            privacy_level: chosen.privacy_level,
            disable_comment: creator.commentDisabled || chosen.disable_comment === true,
            auto_add_music: chosen.auto_add_music === true,
            brand_content_toggle: chosen.disclose_branded_content === true,
            brand_organic_toggle: chosen.disclose_own_brand === true,
          }),
        },
        source_info: {
          source: 'PULL_FROM_URL',
          photo_images: content.media.map(({ publicUrl }) => publicUrl),
          photo_cover_index: chosen.photo_cover_index ?? 0,
        },
      };
      const response = await tiktokCall(call, { path: '/post/publish/content/init/', json, commit: true });
      const taskId = requiredAt(response.json, 'data', 'publish_id');
      return done({ ...progress, taskId, committed: true, ...(!creator && { draft: true }) });
    },
  };
}
