import type { Idea } from '../../writing/composer.ts';
import type { JobDocument } from '../store/jobs.ts';
import type { Draft } from './draft.ts';

/** In the order of their posts. */
export const draftsOf = ({ drafts }: Pick<JobDocument, 'drafts'>): Draft[] =>
  Object.values(drafts).toSorted((one, other) => one.index - other.index);

/** Where there are fewer ideas than posts, they are taken up again in turn. */
export const ideaOf = ({ ideas = [] }: Pick<JobDocument, 'ideas'>, { index }: Draft): Idea | undefined => ideas[index % ideas.length];
