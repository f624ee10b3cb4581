import type { z } from 'zod';
import type { Content } from '../connector.ts';
import { MAX_ARTICLE_TITLE } from './limits.ts';
import { options } from './options.ts';
import type { Progress } from './progress.ts';

/** The content under the text of a post, one of these (platform reference 3.2): a poll, images or a video, or the link card. */
export function attachedContent(content: Content, progress: Progress): Attached | undefined {
  const chosen = options.parse(content.options ?? {});
  if (chosen.poll) return { poll: pollOf(chosen.poll) };
  if (content.media.length > 0) return mediaOf(content, progress);
  const article = articleOf(content, chosen);
  return article && { article };
}

export interface Attached {
  readonly poll?: ReturnType<typeof pollOf>;
  readonly media?: object;
  readonly multiImage?: object;
  readonly article?: NonNullable<ReturnType<typeof articleOf>>;
}

type Chosen = z.output<typeof options>;

/** The link card, if it is requested and there is a link. LinkedIn does not read the page and requires a title. */
function articleOf({ link, title, media }: Content, { article, article_description: description }: Chosen) {
  if (!article || !link || media.length > 0) return undefined;
  return { source: link, title: title?.trim() || placeOf(link), ...(description !== undefined && { description }) };
}

function pollOf({ question, options, duration }: NonNullable<Chosen['poll']>) {
  return { question, options: options.map((text) => ({ text })), settings: { duration } };
}

function mediaOf({ media, title }: Content, { uploads = [] }: Progress): Attached {
  const items = media.map(({ type, altText }, index) => ({
    id: uploads[index]?.urn,
    ...(type === 'image' && altText && { altText }),
  }));
  return items.length > 1 ? { multiImage: { images: items } } : { media: { ...items[0], ...(title && { title }) } };
}

/** `https://www.example.com/bread?from=here`: `example.com/bread`. */
function placeOf(link: string): string {
  const { hostname, pathname } = new URL(link);
  const place = [...`${hostname.replace(/^www\./, '')}${pathname.replace(/\/$/, '')}`];
  return place.length > MAX_ARTICLE_TITLE ? `${place.slice(0, MAX_ARTICLE_TITLE - 1).join('')}…` : place.join('');
}
