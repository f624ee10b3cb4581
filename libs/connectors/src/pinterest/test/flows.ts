import { aContent, anImage, aVideo } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';

const options = { board_id: '77' };
const created = { status: 201, json: { id: '9', created_at: '2026-11-21T10:00:01' } };
const status = (value: string) => ({ json: { media_id: '500', media_type: 'video', status: value } });
const registered = {
  status: 201,
  json: {
    media_id: '500',
    media_type: 'video',
    upload_url: 'https://pinterest-media-upload.s3-accelerate.amazonaws.com/',
    upload_parameters: {
      key: 'uploads/1:video:500',
      policy: 'cG9saWN5',
      'x-amz-signature': 'signed',
      'Content-Type': 'multipart/form-data',
    },
  },
};
const twoPictures = aContent({
  options,
  caption: '',
  media: [anImage(), anImage({ publicUrl: 'https://media.example.com/2.jpg' })],
});

export const pinterestFlows = {
  image: {
    name: 'an image with title, link and alt text',
    content: aContent({
      options: { ...options, board_section_id: '78' },
      title: 'A title',
      link: 'https://example.com/a',
      media: [anImage({ altText: 'A red door' })],
    }),
    responses: [created],
  },
  carousel: {
    name: 'several images',
    content: twoPictures,
    fallsBack: true,
    responses: [created],
  },
  firstAlone: {
    name: 'the first of several images that were rejected together',
    content: twoPictures,
    from: { firstAlone: "'multiple_image_urls' was unexpected" },
    responses: [created],
  },
  video: {
    name: 'a video with a cover',
    content: aContent({
      options,
      media: [aVideo({ sizeBytes: 1024 * 1024 + 1, altText: 'The shop' })],
      cover: anImage({ publicUrl: 'https://media.example.com/cover.jpg' }),
    }),
    responses: [registered, { status: 204 }, status('registered'), status('processing'), status('succeeded'), created],
  },
  coverless: {
    name: 'a video without a cover',
    content: aContent({ options, media: [aVideo()] }),
    responses: [registered, { status: 204 }, status('succeeded'), created],
  },
} satisfies Record<string, Flow>;
