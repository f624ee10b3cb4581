import type { Idea } from '../../writing/composer.ts';
import type { Draft } from '../drafts/draft.ts';
import { draftKey } from '../drafts/draft.ts';
import type { Step } from '../run-job.ts';
import type { JobDocument, JobRequest } from '../job.ts';
import { headline } from '../../writing/embedded/sentences.ts';
import { callComposer } from './call-composer.ts';
import { recordedInput } from './recorded-input.ts';

/** Finds an idea for each post. An idea of the caller is used unchanged. */
export const findIdeas: Step = async (work) => {
  const { context, job } = work;
  const { request } = job();
  const { source, brief, topics } = recordedInput(job());
  const drafts = newDrafts(request);
  const warnings = await context.composer.warnings({ source, brief, count: request.count });
  if (request.custom_idea !== null) return { next: 'copy', found: { ideas: [givenIdea(request.custom_idea)], drafts, warnings } };
  const { value: ideas, usage: used } = await callComposer(work, (signal) =>
    context.composer.ideas({ source, brief, topics, count: request.count }, signal),
  );
  return { next: 'copy', found: { ideas, drafts, warnings }, used };
};

const TITLE_CHARACTERS = 200;

const givenIdea = (text: string): Idea => ({
  title: headline(text, TITLE_CHARACTERS),
  summary: text.trim(),
  imageKeyword: '',
  topic: undefined,
});

/** Posts get the formats in turn. */
const newDrafts = ({ count, creative_formats: formats }: JobRequest): JobDocument['drafts'] =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index): [string, Draft] => [
      draftKey(index),
      { index, format: formats[index % formats.length] ?? 'design' },
    ]),
  );
