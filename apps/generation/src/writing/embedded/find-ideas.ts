import type { Brief, Idea, Topic } from '../composer.ts';
import type { Source } from '../../input/source.ts';
import { hashtagsOf, materialOf } from './material.ts';
import { choose, type Ranked } from './rank.ts';
import { ended, headline } from './sentences.ts';
import { wordsOf } from './words.ts';

const BESIDE = 2;
const MAX_TITLE = 120;

/** Ideas from the most relevant and diverse sentences. Topics of the business take turns, each with the sentence closest to it. */
export async function findIdeas({
  source,
  brief,
  topics,
  count,
}: {
  source: Source;
  brief: Brief;
  topics: readonly Topic[];
  count: number;
}): Promise<Idea[]> {
  const material = await materialOf(source, brief);
  const { sentences: all, stopWords, isOwn } = material;
  // Posts are about the source; the description of the business is only an addition.
  const sentences = all.some(isOwn) ? all.filter(isOwn) : all;
  const taken: Ranked[] = [];
  const ideas: Idea[] = [];
  for (let index = 0; index < count; index++) {
    const left = sentences.filter((one) => !taken.includes(one));
    const topic = topicFor(inTurn(topics, index), left, stopWords);
    const near = wordsOfTopic(topic, stopWords);
    const [main] = choose(left, 1, near, taken);
    if (!main) break;
    taken.push(main);
    const beside = choose(
      left.filter((one) => one !== main),
      BESIDE,
      main.words,
      [main],
    );
    const summary = [main, ...beside]
      .toSorted((one, other) => one.index - other.index)
      .map(({ text }) => ended(text))
      .join(' ');
    ideas.push({
      title: headline(index === 0 && source.title !== '' ? source.title : main.text, MAX_TITLE),
      summary,
      imageKeyword: hashtagsOf(`${main.text} ${topic?.title ?? ''} ${source.title}`, material, 2).join(' '),
      topic,
    });
  }
  return ideas;
}

/** All topics, beginning with another one for each idea. */
const inTurn = (topics: readonly Topic[], index: number): Topic[] =>
  topics.map((_, at) => topics[(index + at) % topics.length]).filter((topic) => topic !== undefined);

/** The first topic that a sentence is about: a post is not labelled with a topic that it says nothing of. */
const topicFor = (topics: readonly Topic[], sentences: readonly Ranked[], stopWords: ReadonlySet<string>): Topic | undefined =>
  topics.find((topic) => {
    const near = wordsOfTopic(topic, stopWords);
    return sentences.some(({ words }) => [...words].some((word) => [...near].some((other) => isAlike(word, other))));
  });

const wordsOfTopic = (topic: Topic | undefined, stopWords: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(topic ? wordsOf(`${topic.title} ${topic.body}`, stopWords) : []);

const STEM = 4;

/** The same word, perhaps with another ending, such as open and opening. */
function isAlike(one: string, other: string): boolean {
  const least = Math.min(one.length, other.length);
  return one === other || (least >= STEM && one.slice(0, Math.max(STEM, least - 1)) === other.slice(0, Math.max(STEM, least - 1)));
}
