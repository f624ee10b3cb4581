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
    const topic = topics.length > 0 ? topics[index % topics.length] : undefined;
    const near = new Set(topic ? wordsOf(`${topic.title} ${topic.body}`, stopWords) : []);
    const left = sentences.filter((one) => !taken.includes(one));
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
