import { aContent, anImage, aReel, aVideo } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';

const permalink = { json: { permalink_url: 'https://www.facebook.com/acme/posts/7', id: '100_7' } };
const phase = (uploading: string, publishing: string) => ({
  video_status: 'processing',
  uploading_phase: { status: uploading },
  processing_phase: { status: 'in_progress' },
  publishing_phase: { status: publishing },
});

export const facebookFlows = {
  text: { name: 'text', content: aContent(), responses: [{ json: { id: '100_7' } }, permalink] },
  link: {
    name: 'link with a first comment',
    content: aContent({ link: 'https://example.com/a', firstComment: 'First!' }),
    responses: [{ json: { id: '100_7' } }, permalink, { json: { id: '7_1' } }],
  },
  photo: {
    name: 'one photo',
    content: aContent({ media: [anImage({ altText: 'A red door' })] }),
    responses: [{ json: { id: '55', post_id: '100_7' } }, permalink],
  },
  photos: {
    name: 'several photos',
    content: aContent({ media: [anImage(), anImage({ publicUrl: 'https://media.example.com/2.jpg', altText: 'Two' })] }),
    responses: [{ json: { id: '55' } }, { json: { id: '56' } }, { json: { id: '100_7' } }, permalink],
  },
  video: {
    name: 'a video with a cover',
    content: aContent({ title: 'Our film', media: [aVideo()], cover: anImage({ sizeBytes: 300 }) }),
    responses: [
      { json: { id: '900' } },
      { json: { status: phase('complete', 'in_progress') } },
      { json: { status: phase('complete', 'complete'), permalink_url: '/acme/videos/900/', post_id: '7' } },
      { json: { success: true } },
    ],
  },
  reel: {
    name: 'a reel with a first comment',
    content: aContent({ title: 'Our reel', media: [aReel()], firstComment: 'First!' }),
    responses: [
      { json: { video_id: '900', upload_url: 'https://rupload.facebook.com/video-upload/v25.0/900' } },
      { json: { success: true } },
      { json: { status: phase('in_progress', 'not_started') } },
      { json: { status: phase('complete', 'not_started') } },
      { json: { success: true, post_id: '7' } },
      { json: { status: phase('complete', 'complete'), permalink_url: '/reel/900/', post_id: '7' } },
      { status: 400, json: { error: { message: 'Unsupported post request.', code: 100, error_subcode: 33 } } },
      { json: { id: '7_1' } },
    ],
  },
  labelledReel: {
    name: 'a reel with a cover, made by AI',
    content: aContent({
      media: [aReel()],
      cover: anImage({ sizeBytes: 300 }),
      options: { kind: 'reel', is_ai_generated: true },
    }),
    responses: [
      { json: { video_id: '900', upload_url: 'https://rupload.facebook.com/video-upload/v25.0/900' } },
      { json: { success: true } },
      { json: { status: phase('complete', 'not_started') } },
      { json: { success: true } },
      { json: { success: true, post_id: '7' } },
      { json: { status: phase('complete', 'complete'), permalink_url: '/reel/900/', post_id: '7' } },
    ],
  },
  uprightVideo: {
    name: 'an upright video that is no reel',
    content: aContent({ media: [aReel()], options: { kind: 'video' } }),
    responses: [{ json: { id: '900' } }, { json: { status: phase('complete', 'complete'), permalink_url: '/acme/videos/900/' } }],
  },
} satisfies Record<string, Flow>;
