import type { Post } from '../world/post.ts';
import type { LocalPost } from './google-business/local-post.ts';

/** A detail of a post in words; null where there is nothing to say. */
export function wordsFor(post: Post, name: string): string | null {
  const value = post.details[name];
  if (value === undefined || value === null || value === '') return null;
  const words = inWords[name];
  // A cast that its platform checked: posts are kept as their platform's schema let them in.
  if (words) return words(value as never, post);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(', ') || null;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

const inWords: Readonly<Record<string, (value: never, post: Post) => string | null>> = {
  // TikTok's is a part of the text that is shown already.
  title: (title: string, { platform, text }) => (platform === 'tiktok' && text.startsWith(title) ? null : title),
  content: ({ media }: { media?: { title?: string } }) => media?.title ?? null,
  article: ({ title, description }: { title: string; description?: string }) => [title, description].filter(Boolean).join(' · '),
  event: ({ title, schedule }: NonNullable<LocalPost['event']>) =>
    `${title}, ${moment(schedule?.startDate, schedule?.startTime)} to ${moment(schedule?.endDate, schedule?.endTime)}`,
  offer: ({ couponCode, redeemOnlineUrl, termsConditions }: NonNullable<LocalPost['offer']>) =>
    [couponCode && `code ${couponCode}`, redeemOnlineUrl, termsConditions].filter(Boolean).join(' · ') || null,
  callToAction: ({ actionType, url }: NonNullable<LocalPost['callToAction']>) =>
    [actionType && lowered(actionType), url].filter(Boolean).join(': '),
  poll: (poll: XPoll | LinkedinPoll) =>
    'question' in poll
      ? `${poll.question} ${poll.options.map(({ text }) => text).join(' · ')} (${lowered(poll.settings.duration ?? 'THREE_DAYS')})`
      : `${poll.options.join(' · ')} (${inDays(poll.duration_minutes)})`,
  cover: ({ width, height }: { width: number; height: number }) => `own picture, ${width} × ${height}`,
  thumb_offset: frame,
  video_cover_timestamp_ms: frame,
  photo_cover_index: (index: number) => `picture ${index + 1}`,
  privacy_level: lowered,
  visibility: lowered,
  tags: (tags: string[]) => tags.map((tag) => `#${tag}`).join(' ') || null,
  collaborators: (names: string[]) => names.map((name) => `@${name}`).join(', ') || null,
  user_tags: (tags: { username: string }[]) => tags.map(({ username }) => `@${username}`).join(', ') || null,
  reply_settings: (who: string) => lowered(who.replace(/[A-Z]/g, '_$&')),
  trial_params: ({ graduation_strategy }: { graduation_strategy: string }) =>
    graduation_strategy === 'MANUAL' ? 'shown to all by hand' : 'shown to all when it does well',
};

interface XPoll {
  readonly options: readonly string[];
  readonly duration_minutes: number;
}

interface LinkedinPoll {
  readonly question: string;
  readonly options: readonly { readonly text: string }[];
  readonly settings: { readonly duration?: string };
}

/** PUBLIC_TO_EVERYONE: public to everyone. */
function lowered(name: string): string {
  return name.toLowerCase().replaceAll('_', ' ');
}

function frame(offsetMs: number): string {
  return `frame at ${offsetMs / 1000} s`;
}

function inDays(minutes: number): string {
  const [count, unit] = minutes % 1440 === 0 ? [minutes / 1440, 'day'] : minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

type Schedule = NonNullable<NonNullable<LocalPost['event']>['schedule']>;

function moment(day: Schedule['startDate'] = {}, at: Schedule['startTime'] = {}): string {
  const two = (number = 0) => String(number).padStart(2, '0');
  return `${day.year}-${two(day.month)}-${two(day.day)} ${two(at.hours)}:${two(at.minutes)}`;
}
