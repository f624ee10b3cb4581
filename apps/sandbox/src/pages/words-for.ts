import type { Post } from '../world/post.ts';
import type { Card, InWords } from './card.ts';

/** A detail of a post as text; null if there is nothing to show. */
export function wordsFor(post: Post, name: string, own: NonNullable<Card['words']>): string | null {
  const value = post.details[name];
  if (value === undefined || value === null || value === '') return null;
  const words = own[name] ?? inWords[name];
  // The cast is safe: posts are stored as their platform's schema validated them.
  if (words) return words(value as never, post);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ') || null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

const inWords: Readonly<Record<string, InWords>> = {
  content: ({ media }: { media?: { title?: string } }) => media?.title ?? null,
  article: ({ title, description }: { title: string; description?: string }) => [title, description].filter(Boolean).join(' · '),
  cover: ({ width, height }: { width: number; height: number }) => `custom cover, ${width} × ${height}`,
  thumb_offset: frame,
  video_cover_timestamp_ms: frame,
  photo_cover_index: (index: number) => `image ${index + 1}`,
  privacy_level: lowered,
  visibility: lowered,
  tags: (tags: string[]) => tags.map((tag) => `#${tag}`).join(' ') || null,
  collaborators: (names: string[]) => names.map((name) => `@${name}`).join(', ') || null,
  user_tags: (tags: { username: string }[]) => tags.map(({ username }) => `@${username}`).join(', ') || null,
  reply_settings: (who: string) => lowered(who.replace(/[A-Z]/g, '_$&')),
};

/** PUBLIC_TO_EVERYONE: public to everyone. */
export function lowered(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ');
}

function frame(offsetMs: number): string {
  return `frame at ${offsetMs / 1000} s`;
}
