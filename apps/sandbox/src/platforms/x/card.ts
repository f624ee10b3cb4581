import type { Card } from '../../pages/card.ts';
import { actions, authorOf, avatar, gallery, paragraph, pollBars, shortTime } from '../../pages/card.ts';
import { escape } from '../../pages/html-page.ts';
import { linkedText } from '../../pages/linked-text.ts';

interface Poll {
  readonly options: readonly string[];
  readonly duration_minutes: number;
}

/** A small avatar; next to it name, handle and time in one line, the text, then media or a poll. */
export const xCard: Card = {
  style: `
.x .badge { background: #111; border: 1px solid var(--line); }
.x .avatar { background: #536471; }
.x .media { overflow: hidden; border: 1px solid var(--line); border-radius: 16px; }
.x .actions { margin: 4px 0 0; border: 0; font-size: 1rem; }
.x .poll { margin: 0 0 4px; }`,
  shows: ['poll'],
  words: { poll: ({ options, duration_minutes }: Poll) => `${options.join(' · ')} (${inDays(duration_minutes)})` },
  draw(post, world) {
    const author = authorOf(world, post);
    const replied = post.reply_to === null ? undefined : world.posts.get(post.reply_to);
    const text = linkedText(post.text, {
      hashtag: (tag) => `https://x.com/hashtag/${tag}`,
      mention: (username) => `https://x.com/${username}`,
      addresses: true,
    });
    const poll = post.details['poll'] as Poll | undefined;
    return `<div class="beside">${avatar(author.name)}<div class="post">
<p class="names"><strong>${escape(author.name)}</strong> <span>@${escape(author.username)} · ${escape(shortTime(post.created_at))}</span></p>
${replied ? paragraph('note', `Replying to @${escape(authorOf(world, replied).username)}`) : ''}${paragraph('text', text)}${gallery(world, post)}
${poll ? pollBars(poll.options, `0 votes · ${left(poll.duration_minutes)} left`) : ''}${actions('↩', '⇄', '♡', '↗')}</div></div>`;
  },
};

function left(minutes: number): string {
  const [count, unit] = minutes >= 1440 ? [minutes / 1440, 'day'] : minutes >= 60 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return `${Math.round(count)} ${unit}${Math.round(count) === 1 ? '' : 's'}`;
}

function inDays(minutes: number): string {
  const [count, unit] = minutes % 1440 === 0 ? [minutes / 1440, 'day'] : minutes % 60 === 0 ? [minutes / 60, 'hour'] : [minutes, 'minute'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
