import { aContent, anImage, aReel } from '../a-content.ts';
import type { Flow } from './flow.ts';

const inProgress = { json: { status_code: 'IN_PROGRESS', status: 'In Progress' } };
const finished = { json: { status_code: 'FINISHED', status: 'Finished' } };
const permalink = { json: { permalink: 'https://www.instagram.com/p/abc/', shortcode: 'abc' } };

export const instagramFlows = {
  image: {
    name: 'a picture with a first comment',
    content: aContent({ media: [anImage({ altText: 'A red door' })], firstComment: 'First!' }),
    answers: [{ json: { id: 'c1' } }, inProgress, finished, { json: { id: 'm1' } }, permalink, { json: { id: 'k1' } }],
  },
  reel: {
    name: 'a reel with a cover',
    content: aContent({ media: [aReel()], cover: anImage({ publicUrl: 'https://media.example.com/cover.jpg' }) }),
    answers: [{ json: { id: 'c1' } }, inProgress, finished, { json: { id: 'm1' } }, permalink],
  },
  carousel: {
    name: 'a carousel',
    content: aContent({ media: [anImage({ altText: 'One' }), aReel()] }),
    answers: [
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
} satisfies Record<string, Flow>;
