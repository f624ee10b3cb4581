import type { Card } from '../../pages/card.ts';
import { actions, authorOf, byline, gallery, linkCard, paragraph, pollBars, shortTime } from '../../pages/card.ts';
import { escape } from '../../pages/html-page.ts';
import { linkedText } from '../../pages/linked-text.ts';
import { lowered } from '../../pages/words-for.ts';
import { assets } from './state.ts';

interface Details {
  article: { source: string; title: string; description?: string; thumbnail?: string } | null;
  commentary: string;
  poll: { question: string; options: { text: string }[]; settings: { duration?: string } } | null;
}

/** The commentary, then the media, the link card or the poll. */
export const linkedinCard: Card = {
  style: `
.linkedin .badge { background: #0a66c2; }
.linkedin .avatar { background: #0a66c2; border-radius: 6px; }`,
  shows: ['article', 'poll'],
  words: {
    poll: ({ question, options, settings }: NonNullable<Details['poll']>) =>
      `${question} ${options.map(({ text }) => text).join(' · ')} (${lowered(settings.duration ?? 'THREE_DAYS')})`,
  },
  draw(post, world) {
    const author = authorOf(world, post);
    const { article = null, commentary = '', poll = null } = post.details as Partial<Details>;
    const text = linkedText(post.text, {
      hashtag: (tag) => `https://www.linkedin.com/feed/hashtag/${tag}/`,
      addresses: true,
      names: mentioned(commentary),
    });
    const thumbnail = world.media.get(assets(world).get(article?.thumbnail ?? '')?.media_id ?? '');
    return `${byline(author, escape(author.name), escape(shortTime(post.created_at)))}
${paragraph('text', text)}${gallery(world, post)}
${article ? linkCard({ href: article.source, title: article.title, description: article.description, image: thumbnail }) : ''}
${
  poll
    ? `<div class="asked"><strong>${escape(poll.question)}</strong>${pollBars(
        poll.options.map((option) => option.text),
        `0 votes · ${lowered(poll.settings.duration ?? 'THREE_DAYS')}`,
      )}</div>`
    : ''
}
${actions('Like', 'Comment', 'Repost', 'Send')}`;
  },
};

/** The names that a commentary mentions, which its readers see without their markup. */
function mentioned(commentary: string): Map<string, string> {
  const found = commentary.matchAll(/@\[((?:\\.|[^[\]\\])+)\]\(urn:li:(person|organization):([\w-]+)\)/g);
  return new Map(
    [...found].map(([, name = '', kind, id]) => [
      name.replace(/\\([\s\S])/g, '$1'),
      `https://www.linkedin.com/${kind === 'person' ? 'in' : 'company'}/${id}/`,
    ]),
  );
}
