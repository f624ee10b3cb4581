import { aContent, anImage, aVideo } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';

const PART = 4 * 1024 * 1024;
const postUrn = 'urn:li:share:7100000000000000001';
const created = { status: 201, headers: { 'x-restli-id': postUrn } };
const imageAt = (id: string) => ({
  json: { value: { uploadUrl: `https://www.linkedin.com/dms-uploads/${id}?sig=1`, image: `urn:li:image:${id}` } },
});
const asset = (status: string) => ({ json: { status } });

export const linkedinFlows = {
  text: {
    name: 'text with a first comment',
    content: aContent({ firstComment: 'First!' }),
    responses: [created, { status: 201, headers: { 'x-restli-id': '6' }, json: { id: '6' } }],
  },
  article: {
    name: 'a link as a card',
    content: aContent({
      link: 'https://www.example.com/bread?from=linkedin',
      title: 'Our bread',
      options: { article: true, article_description: 'Rye, since 1920' },
    }),
    responses: [created],
  },
  poll: {
    name: 'a poll',
    content: aContent({ options: { poll: { question: 'Which bread?', options: ['Rye', 'Wheat'], duration: 'SEVEN_DAYS' } } }),
    responses: [created],
  },
  image: {
    name: 'one image with a title',
    content: aContent({ title: 'Our door', media: [anImage({ altText: 'A red door' })] }),
    responses: [imageAt('C1'), { status: 201 }, asset('AVAILABLE'), created],
  },
  images: {
    name: 'several images',
    content: aContent({ title: 'For one only', media: [anImage({ altText: 'One' }), anImage({ mimeType: 'image/png' })] }),
    responses: [
      imageAt('C1'),
      { status: 201 },
      asset('PROCESSING'),
      asset('AVAILABLE'),
      imageAt('C2'),
      { status: 201 },
      { status: 403, json: { status: 403, code: 'ACCESS_DENIED', message: 'Not enough permissions to access: GET /images' } },
      created,
    ],
  },
  video: {
    name: 'a video with a title',
    content: aContent({ title: 'Our film', media: [aVideo({ sizeBytes: PART + 1, altText: 'Not for videos' })] }),
    responses: [
      {
        json: {
          value: {
            video: 'urn:li:video:V1',
            uploadToken: '',
            uploadInstructions: [
              { uploadUrl: 'https://www.linkedin.com/dms-uploads/V1/0', firstByte: 0, lastByte: PART - 1 },
              { uploadUrl: 'https://www.linkedin.com/dms-uploads/V1/1', firstByte: PART, lastByte: PART },
            ],
          },
        },
      },
      { status: 200, headers: { etag: '"tag-0"' } },
      { status: 200, headers: { etag: '"tag-1"' } },
      { status: 200 },
      asset('PROCESSING'),
      asset('AVAILABLE'),
      created,
    ],
  },
} satisfies Record<string, Flow>;
