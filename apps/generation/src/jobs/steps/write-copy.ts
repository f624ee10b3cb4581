import type { CreativeFormat } from '../../formats.ts';
import { languageOf } from '../../input/language-of.ts';
import { ComposerFailed, type CopyFormat } from '../../writing/composer.ts';
import { draftKey, type Draft } from '../drafts/draft.ts';
import type { JobWork, Step } from '../run-job.ts';
import { draftsOf, ideaOf } from '../drafts/drafts-of.ts';
import { callComposer } from './call-composer.ts';
import { eachOf } from './each-of.ts';
import { recordedInput } from './recorded-input.ts';

/** The kind of texts that a format shows. */
const COPY_FORMATS = {
  design: 'design',
  carousel: 'carousel',
  meme: 'meme',
  image: 'image',
  gif: 'slides',
  video: 'slides',
  'ai-image': 'image',
  'ai-video': 'image',
} as const satisfies Record<CreativeFormat, CopyFormat>;

const AT_ONCE = 3;

/** Writes the texts of each post and records them. */
export const writeCopy: Step = async (work) => {
  const open = draftsOf(work.job()).filter(({ copy, failure }) => !copy && failure === undefined);
  await eachOf(open, AT_ONCE, (draft) => writeOne(work, draft));
  return { next: 'creatives' };
};

/** A post that the composer cannot write does not affect the others. */
async function writeOne(work: JobWork, draft: Draft): Promise<void> {
  const { context, job, record } = work;
  const { source, brief } = recordedInput(job());
  const idea = ideaOf(job(), draft);
  if (!idea) throw new ComposerFailed('The source has nothing to write about.', { isPassing: false });
  const at = `drafts.${draftKey(draft.index)}`;
  const of = { source, brief, idea, format: COPY_FORMATS[draft.format], index: draft.index };
  try {
    const { value: copy, usage } = await callComposer(work, (signal) => context.composer.copy(of, signal));
    await record({ [`${at}.copy`]: copy, [`${at}.language`]: await languageOf(copy.caption, brief.language) }, usage);
  } catch (error) {
    if (!(error instanceof ComposerFailed) || (error.isPassing && !work.isLastAttempt())) throw error;
    work.lease.log.warn({ err: error, index: draft.index }, 'could not write the copy of a post');
    await record({ [`${at}.failure`]: error.message });
  }
}
