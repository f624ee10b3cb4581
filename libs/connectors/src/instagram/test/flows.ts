import { aContent, anImage, aReel } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';

const inProgress = { json: { status_code: 'IN_PROGRESS', status: 'In Progress' } };
const finished = { json: { status_code: 'FINISHED', status: 'Finished' } };
const permalink = { json: { permalink: 'https://www.instagram.com/p/abc/', shortcode: 'abc' } };

export const instagramFlows = {
  image: {
    name: 'an image with a first comment',
    content: aContent({ media: [anImage({ altText: 'A red door' })], firstComment: 'First!' }),
    responses: [{ json: { id: 'c1' } }, inProgress, finished, { json: { id: 'm1' } }, permalink, { json: { id: 'k1' } }],
  },
  imageByInstagramLogin: {
    name: 'an image of an account that signed in at Instagram',
    login: 'instagram',
    content: aContent({ media: [anImage()], firstComment: 'First!' }),
    responses: [{ json: { id: 'c1' } }, inProgress, finished, { json: { id: 'm1' } }, permalink, { json: { id: 'k1' } }],
  },
  reel: {
    name: 'a reel with a cover',
    content: aContent({ media: [aReel()], cover: anImage({ publicUrl: 'https://media.example.com/cover.jpg' }) }),
    responses: [{ json: { id: 'c1' } }, inProgress, finished, { json: { id: 'm1' } }, permalink],
  },
  carousel: {
    name: 'a carousel',
    content: aContent({ media: [anImage({ altText: 'One' }), aReel()] }),
    responses: [
      { json: { id: 'c1' } },
      { json: { id: 'c2' } },
      finished,
      inProgress,
      finished,
      { json: { id: 'c3' } },
      finished,
      { json: { id: 'm1' } },
      permalink,
    ],
  },
  labelledImage: {
    name: 'an image with people, a place and co-authors',
    content: aContent({
      media: [anImage()],
      options: {
        user_tags: [{ username: '@baker', x: 0.5, y: 0.25 }],
        collaborators: ['@acme.bread', 'mill'],
        location_id: '7640348500',
        is_ai_generated: true,
      },
    }),
    responses: [{ json: { id: 'c1' } }, finished, { json: { id: 'm1' } }, permalink],
  },
  trialReel: {
    name: 'a trial reel with a frame for its cover',
    content: aContent({
      media: [aReel()],
      options: {
        share_to_feed: false,
        thumb_offset: 1_500,
        audio_name: 'Kneading',
        trial_params: { graduation_strategy: 'MANUAL' },
        user_tags: [{ username: 'baker' }],
      },
    }),
    responses: [{ json: { id: 'c1' } }, finished, { json: { id: 'm1' } }, permalink],
  },
  taggedCarousel: {
    name: 'a carousel with people in its second image',
    content: aContent({
      media: [anImage(), anImage()],
      options: { user_tags: [{ username: 'baker', x: 0, y: 1, media_index: 1 }], location_id: '7640348500' },
    }),
    responses: [
      { json: { id: 'c1' } },
      { json: { id: 'c2' } },
      finished,
      finished,
      { json: { id: 'c3' } },
      finished,
      { json: { id: 'm1' } },
      permalink,
    ],
  },
  story: {
    name: 'an image as a story, with people',
    content: aContent({
      media: [anImage({ height: 1_920, altText: 'A red door' })],
      options: { kind: 'story', user_tags: [{ username: '@baker' }] },
    }),
    responses: [{ json: { id: 'c1' } }, finished, { json: { id: 'm1' } }, permalink],
  },
  videoStory: {
    name: 'a video as a story',
    content: aContent({ media: [aReel()], options: { kind: 'story', user_tags: [{ username: 'baker', x: 0.5, y: 1 }] } }),
    responses: [{ json: { id: 'c1' } }, finished, { json: { id: 'm1' } }, permalink],
  },
} satisfies Record<string, Flow>;
