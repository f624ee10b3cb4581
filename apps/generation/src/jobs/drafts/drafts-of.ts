import type { Idea } from '../../writing/composer.ts';
import type { JobDocument } from '../job.ts';
import type { Draft } from './draft.ts';

/** The generated posts of a job, in order. */
export const draftsOf = ({ drafts }: Pick<JobDocument, 'drafts'>): Draft[] =>
  Object.values(drafts).toSorted((one, other) => one.index - other.index);

/** If there are fewer ideas than posts, posts share them in turn. */
export const ideaOf = ({ ideas = [] }: Pick<JobDocument, 'ideas'>, { index }: Draft): Idea | undefined => ideas[index % ideas.length];
