import { aContent, aReel, aVideo } from '../../../test/a-content.ts';
import type { Flow } from '../../../test/conversations/flow.ts';

const MiB = 1024 * 1024;

export const session = 'https://www.googleapis.com/upload/youtube/v3/videos?uploadType=resumable&upload_id=u1';
const started = { status: 200, text: '', headers: { location: session } };
const stored = (bytes: number) => ({ status: 308, text: '', headers: { range: `bytes=0-${bytes - 1}` } });
const created = { json: { kind: 'youtube#video', id: 'v1', status: { uploadStatus: 'uploaded', privacyStatus: 'public' } } };
const seen = (uploadStatus: string) => ({ json: { items: [{ id: 'v1', status: { uploadStatus, privacyStatus: 'public' } }] } });

export const youtubeFlows = {
  short: {
    name: 'a small video with a first comment',
    content: aContent({ media: [aReel()], firstComment: 'First!' }),
    responses: [started, created, seen('uploaded'), seen('processed'), { json: { id: 'c1' } }],
  },
  parts: {
    name: 'a video in parts',
    content: aContent({
      title: 'Our film',
      media: [aVideo({ sizeBytes: 8 * MiB + 1 })],
      options: { privacy_status: 'unlisted', category_id: '28', tags: ['film', 'our film'], made_for_kids: true },
    }),
    responses: [started, stored(4 * MiB), stored(8 * MiB), { ...created, status: 201 }, { json: { items: [] } }, seen('processed')],
  },
  labelled: {
    name: 'a video in a language, made by AI, without a notification of subscribers',
    content: aContent({
      media: [aReel()],
      options: { contains_synthetic_media: true, default_language: 'pt-BR', notify_subscribers: false },
    }),
    responses: [started, created, seen('processed')],
  },
} satisfies Record<string, Flow>;
