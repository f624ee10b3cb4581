import type { Logger } from '@fanfare/runtime';
import { z } from 'zod';
import { createOpenAi, type ModelSettings } from '../../providers/openai-client.ts';
import type { Source } from '../../input/source.ts';
import { ComposerFailed, type Brief, type Composer, type CopyFormat, type Idea, type PageTexts, type Topic } from '../composer.ts';
import { fitPlatform, fitPlatforms, textLimitFor, wholeCaption } from '../fit-platforms.ts';
import { createModelCaller } from './call-model.ts';
import { userMessage } from './prompts.ts';
import { withoutForeign } from './without-foreign.ts';

const text = (most: number) => z.string().transform((given) => given.trim().slice(0, most));
const plain = z.string();

const ideasSchema = z.object({
  ideas: z.array(z.object({ title: plain, summary: plain, image_keyword: plain, topic: z.number().int() })),
});
const pageSchema = z.object({ label: plain, headline: plain, body: plain, cta: plain, top: plain, bottom: plain });
const copySchema = z.object({ title: plain, caption: plain, hashtags: z.array(plain), alt_text: plain, pages: z.array(pageSchema) });
const captionsSchema = z.object({ captions: z.array(z.object({ caption: plain, hashtags: z.array(plain) })) });

/** The pages of each format. */
const PAGES = {
  design: 'One page with label, headline, body and cta.',
  carousel: '4 to 7 pages: a cover with a headline, one point per page with headline and body, and a last page with a cta.',
  slides:
    '3 to 5 pages that are shown one after the other: a first one with a headline, one point per page with headline and body, and a last one with a cta.',
  meme: 'One page with top and bottom.',
  image: 'One page with a headline.',
} as const satisfies Record<CopyFormat, string>;

/** Writes with a language model. Its response is only used as text: no part of it is executed or fetched. */
export function createModelComposer(settings: ModelSettings, log: Logger): Composer {
  const callModel = createModelCaller(createOpenAi('language-model', 'The language model', settings, log), settings);

  return {
    name: settings.model,

    async ideas({ source, brief, topics, count }, signal) {
      const task = {
        write: `${count} ideas for posts, each about something else.`,
        fields:
          'title: one line. summary: two or three sentences of facts. image_keyword: two or three English words for a photo search. topic: the index of the topic that the idea is about, -1 if the source says nothing about it. Idea number i, from 0, is about topic i, and after the last topic about the first one again.',
        topics: topics.map(({ title, body }, index) => ({ index, title, body })),
      };
      const { value, usage } = await callModel('ideas', ideasSchema, userMessage(task, brief, source), signal);
      const clean = cleaner(source, brief, topics);
      const ideas = value.ideas.slice(0, count).flatMap(({ title, summary, image_keyword, topic }, index): Idea[] => {
        const named = clean(title, 200);
        // The topics are used in turn, whatever the model says, unless none fits.
        const taken = topic < 0 || topics.length === 0 ? undefined : topics[index % topics.length];
        return named === '' ? [] : [{ title: named, summary: clean(summary, 2_000), imageKeyword: clean(image_keyword, 60), topic: taken }];
      });
      if (ideas.length === 0) throw new ComposerFailed('The language model found nothing to write about.', { isPassing: false });
      return { value: ideas, usage };
    },

    async copy({ source, brief, idea, format, index }, signal) {
      const limits = Object.fromEntries(brief.platforms.map((platform) => [platform, textLimitFor(platform)?.max]));
      const task = {
        write: `One post, number ${index + 1} of a series, and the texts on its image.`,
        idea: { title: idea.title, summary: idea.summary, topic: idea.topic?.title ?? '' },
        fields: `caption: without hashtags, at most 1,500 characters. hashtags: up to 5, without #. alt_text: what the image shows. pages: ${PAGES[format]} Leave other fields of a page empty. A headline has at most 80 characters, a body 180.`,
        limits,
      };
      const { value, usage } = await callModel('post', copySchema, userMessage(task, brief, source), signal);
      const clean = cleaner(source, brief, [], idea);
      const body = clean(value.caption, 5_000)
        .replaceAll(/(?:^|\s)#[\p{L}\p{M}\p{N}_]+/gu, '')
        .trim();
      if (body === '') throw new ComposerFailed('The language model wrote an empty caption.', { isPassing: true });
      const pages = value.pages
        .slice(0, 10)
        .map((page) => pageOf(page, clean))
        .filter((page) => Object.keys(page).length > 0);
      const fitted = fitPlatforms({ body, hashtags: tagsOf(value.hashtags) }, brief.platforms);
      const title = clean(value.title, 100) || idea.title.slice(0, 100);
      return {
        value: {
          ...fitted,
          title,
          pages: pages.length > 0 ? pages : [{ headline: title.slice(0, 80) }],
          altText: clean(value.alt_text, 1_000) || title,
        },
        usage,
      };
    },

    warnings: async () => [],

    async captions({ about, brief, platform, tone, count }, signal) {
      const limit = platform && textLimitFor(platform)?.max;
      const task = {
        write: `${count} captions about the source that differ from each other.`,
        fields: 'caption: without hashtags. hashtags: up to 5, without #.',
        ...(platform && { platform, at_most_characters: limit }),
      };
      const source = { kind: 'text', title: '', text: about } as const;
      const { value, usage } = await callModel('captions', captionsSchema, userMessage(task, { ...brief, voice: tone }, source), signal);
      const clean = cleaner({ title: '', text: about }, brief, []);
      const captions = value.captions.slice(0, count).flatMap(({ caption, hashtags }) => {
        const parts = { body: clean(caption, 5_000), hashtags: tagsOf(hashtags) };
        return parts.body === '' ? [] : [platform ? fitPlatform(parts, platform) : wholeCaption(parts)];
      });
      if (captions.length === 0) throw new ComposerFailed('The language model wrote no caption.', { isPassing: true });
      return { value: captions, usage };
    },
  };
}

type Clean = (given: string, most: number) => string;

/** Removes links and mentions that are not in the source. */
function cleaner(source: Pick<Source, 'title' | 'text'>, brief: Brief, topics: readonly Topic[], idea?: Idea): Clean {
  const known = [
    source.title,
    source.text,
    brief.businessName,
    brief.description,
    ...brief.rules,
    ...topics.flatMap(({ title, body }) => [title, body]),
    idea?.topic?.body ?? '',
  ];
  return (given, most) => text(most).parse(withoutForeign(given, known));
}

const LENGTHS = { label: 40, headline: 80, body: 180, cta: 30, top: 80, bottom: 80 } as const;

function pageOf(page: z.infer<typeof pageSchema>, clean: Clean): PageTexts {
  const slots = Object.entries(LENGTHS).map(([slot, most]) => [slot, clean(page[slot as keyof typeof LENGTHS], most)] as const);
  return Object.fromEntries(slots.filter(([, given]) => given !== ''));
}

const tagsOf = (hashtags: readonly string[]): string[] =>
  [...new Set(hashtags.map((tag) => tag.replaceAll(/[^\p{L}\p{M}\p{N}_]/gu, '')).filter((tag) => tag !== '' && tag.length <= 40))].slice(
    0,
    8,
  );
