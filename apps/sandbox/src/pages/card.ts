import { videoFile, type Media } from '../world/media.ts';
import type { Post } from '../world/post.ts';
import type { Account, World } from '../world/world.ts';
import { escape } from './html-page.ts';

/** A detail as text; null if there is nothing to show. */
export type InWords = (value: never, post: Post) => string | null;

/** How a platform shows a post. */
export interface Card {
  /** The post's details that the card itself shows; the others are listed below it. */
  shows: readonly string[];
  /** CSS rules of this platform only: below its name, such as `.x .actions`, or for classes that no other card has. */
  style?: string;
  /** Labels of details that only this platform has. */
  labels?: readonly (readonly [name: string, label: string])[];
  /** Texts of details that differ from the default for their name. */
  words?: Readonly<Record<string, InWords>>;
  /** HTML, in which all untrusted text is escaped. */
  draw: (post: Post, world: World) => string;
}

/** The author of a post; a post outlives its account. */
export function authorOf(world: World, post: Post): Pick<Account, 'name' | 'username'> {
  return world.accounts.get(post.account_id) ?? { name: post.account_id, username: '' };
}

/** A round avatar with an initial. */
export const avatar = (name: string) =>
  `<span class="avatar" aria-hidden="true">${escape([...name.trim()][0]?.toUpperCase() ?? '?')}</span>`;

/** The avatar, and next to it the name above small text; both are HTML. */
export const byline = (author: Pick<Account, 'name'>, name: string, small: string) =>
  `<header>${avatar(author.name)}<span class="who"><strong>${name}</strong><span>${small}</span></span></header>`;

export const shortTime = (iso: string) => `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;

/** A paragraph, or nothing. `html` is escaped already. */
export const paragraph = (className: string, html: string) => (html === '' ? '' : `<p class="${className}">${html}</p>`);

export const mediaOf = (world: World, post: Post): Media[] => post.media_ids.flatMap((id) => world.media.get(id) ?? []);

/** A post's media, laid out by the CSS class, such as `grid`. */
export function gallery(world: World, post: Post, className = 'grid'): string {
  const media = mediaOf(world, post);
  if (media.length === 0) return '';
  const items = media.map((one) => mediaElement(one, posterOf(world, post, one)));
  return `<div class="media ${className} n${Math.min(media.length, 4)}">${items.join('')}</div>`;
}

/** An image, a playable video, or a box with a text for media that is not kept. */
function mediaElement(media: Media, poster: string | null = null): string {
  const label = media.alt_text ?? `${media.kind}, ${media.width} × ${media.height}`;
  const named = `title="${escape(label)}"`;
  if (media.kind === 'video' && videoFile(media) !== null)
    return `<video controls preload="metadata" playsinline src="/_control/media/${escape(media.id)}/video"${poster === null ? '' : ` poster="${escape(poster)}"`} aria-label="${escape(label)}" ${named}></video>`;
  const imageUrl = media.kind === 'video' ? poster : previewUrl(media);
  return imageUrl === null
    ? `<div class="nothing" role="img" aria-label="${escape(label)}">${escape(label)}</div>`
    : `<img loading="lazy" src="${escape(imageUrl)}" alt="${escape(label)}" ${named}>`;
}

/** The chosen cover of a video. */
function posterOf(world: World, post: Post, media: Media): string | null {
  if (media.kind !== 'video') return null;
  const own = previewUrl(media);
  if (own !== null) return own;
  const cover = world.media.get((post.details['cover'] as { media_id?: string } | undefined)?.media_id ?? '');
  return cover ? previewUrl(cover) : null;
}

const previewUrl = ({ id, preview }: Media) => (preview === null ? null : `/_control/media/${id}`);

/** A link card: host, title and description. All are plain text. */
export function linkCard(part: { href: string; title: string; description?: string | undefined; image?: Media | undefined }): string {
  const image = part.image ? `<div class="media grid n1">${mediaElement(part.image)}</div>` : '';
  const words = `${image}<span class="host">${escape(hostOf(part.href))}</span><strong>${escape(part.title)}</strong>${part.description ? `<span>${escape(part.description)}</span>` : ''}`;
  return /^https?:\/\//i.test(part.href)
    ? `<a class="link-card" href="${escape(part.href)}" rel="noreferrer noopener">${words}</a>`
    : `<div class="link-card">${words}</div>`;
}

export const hostOf = (href: string) => (URL.canParse(href) ? new URL(href).hostname.replace(/^www\./, '') : href);

/** The platform's buttons, without function here. */
export const actions = (...names: string[]) =>
  `<div class="actions" aria-hidden="true">${names.map((name) => `<span>${name}</span>`).join('')}</div>`;

/** A poll without votes. All are plain text. */
export const pollBars = (options: readonly string[], note: string) =>
  `<ul class="poll">${options.map((option) => `<li>${escape(option)}<span>0%</span></li>`).join('')}</ul><p class="note">${escape(note)}</p>`;
