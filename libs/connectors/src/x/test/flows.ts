import { aContent, anImage, aVideo } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';

const created = { status: 201, json: { data: { id: '9', text: 'Hello world' } } };
const initialized = { json: { data: { id: '71', media_key: '3_71', expires_after_secs: 86_400 } } };
const processing = (state: string) => ({ json: { data: { id: '71', processing_info: { state, check_after_secs: 1 } } } });

export const xFlows = {
  text: {
    name: 'text with a first comment',
    content: aContent({ firstComment: 'First!' }),
    responses: [created, { status: 201, json: { data: { id: '10', text: 'First!' } } }],
  },
  images: {
    name: 'a small and a large image with alt texts',
    content: aContent({
      media: [anImage({ altText: 'Small' }), anImage({ sizeBytes: 3_000_000, mimeType: 'image/png', altText: 'Large' })],
    }),
    responses: [
      { json: { data: { id: '70' } } },
      { json: {} },
      initialized,
      { status: 204 },
      { status: 204 },
      { json: { data: { id: '71' } } },
      { json: {} },
      created,
    ],
  },
  video: {
    name: 'a video',
    content: aContent({ media: [aVideo({ sizeBytes: 2 * 1024 * 1024 + 1, altText: 'Not for videos' })] }),
    responses: [
      initialized,
      { status: 204 },
      { status: 204 },
      processing('pending'),
      processing('in_progress'),
      processing('succeeded'),
      created,
    ],
  },
  gif: {
    name: 'an animated image',
    content: aContent({ caption: '', media: [anImage({ mimeType: 'image/gif' })] }),
    responses: [initialized, { status: 204 }, processing('succeeded'), created],
  },
  link: {
    name: 'a link behind the text, with labels',
    content: aContent({
      link: 'https://example.com/a',
      options: {
        append_link: true,
        made_with_ai: true,
        paid_partnership: false,
        reply_settings: 'verified',
        community_id: '1146654567674912769',
      },
    }),
    responses: [created],
  },
  poll: {
    name: 'a poll',
    content: aContent({ options: { poll: { options: ['Rye', 'Wheat'], duration_minutes: 60 } } }),
    responses: [created],
  },
} satisfies Record<string, Flow>;
