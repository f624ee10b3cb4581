import { aContent, anImage, aReel } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';

const ok = { code: 'ok', message: '', log_id: '2026112110' };
const data = (fields: object) => ({ json: { data: fields, error: ok } });
const publishing = (status: string) => data({ status, uploaded_bytes: 0, publicaly_available_post_id: [] });
const started = data({
  publish_id: 'v_pub_file~v2-1.71',
  upload_url: 'https://open-upload.tiktokapis.com/video/?upload_id=71&upload_token=t',
});

export const creator = data({
  creator_avatar_url: 'https://p16.tiktokcdn.com/a.webp',
  creator_username: 'acme',
  creator_nickname: 'Acme',
  privacy_level_options: ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'],
  comment_disabled: false,
  duet_disabled: true,
  stitch_disabled: false,
  max_video_post_duration_sec: 300,
});
/** The id is a number that JavaScript would round. */
export const complete = {
  text: `{"data":{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[7301234567890123457]},"error":{"code":"ok","message":"","log_id":"1"}}`,
};

export const tiktokFlows = {
  video: {
    name: 'a small video, for everyone to see',
    content: aContent({ media: [aReel()], options: { privacy_level: 'PUBLIC_TO_EVERYONE' } }),
    responses: [creator, started, { status: 201 }, publishing('PROCESSING_UPLOAD'), publishing('PUBLISH_COMPLETE'), complete],
    publishIdIfGivenUp: 'v_pub_file~v2-1.71',
  },
  parts: {
    name: 'a video in parts, for friends',
    content: aContent({
      media: [aReel({ sizeBytes: 3 * 5_242_880 + 7, mimeType: 'video/quicktime' })],
      videoCoverTimestampMs: 2_500,
      options: {
        privacy_level: 'MUTUAL_FOLLOW_FRIENDS',
        disable_comment: true,
        disclose_branded_content: true,
        disclose_own_brand: true,
        disclose_ai_generated: true,
      },
    }),
    responses: [creator, started, { status: 206 }, { status: 206 }, { status: 201 }, publishing('PUBLISH_COMPLETE')],
  },
  photos: {
    name: 'photos with a title',
    content: aContent({
      title: 'Two doors',
      media: [anImage(), anImage({ mimeType: 'image/webp', publicUrl: 'https://media.example.com/2.webp' })],
      options: { privacy_level: 'SELF_ONLY', auto_add_music: true, photo_cover_index: 1 },
    }),
    responses: [creator, data({ publish_id: 'p_pub_url~v2.72' }), publishing('PROCESSING_DOWNLOAD'), publishing('PUBLISH_COMPLETE')],
  },
  draftVideo: {
    name: 'a video for the inbox',
    content: aContent({ media: [aReel()], options: { post_mode: 'draft' } }),
    responses: [started, { status: 201 }, publishing('PROCESSING_UPLOAD'), publishing('SEND_TO_USER_INBOX')],
    isUnseen: true,
  },
  draftPhotos: {
    name: 'photos for the inbox',
    content: aContent({
      title: 'Two doors',
      media: [anImage(), anImage({ publicUrl: 'https://media.example.com/2.jpg' })],
      options: { post_mode: 'draft', privacy_level: 'SELF_ONLY', disclose_own_brand: true, photo_cover_index: 1 },
    }),
    responses: [data({ publish_id: 'p_pub_url~v2.73' }), publishing('SEND_TO_USER_INBOX')],
    isUnseen: true,
  },
} satisfies Record<string, Flow>;
