import type { CreativeFormat } from '../../formats.ts';
import { languageOf } from '../../input/language-of.ts';
import { ComposerFailed, type CopyFormat } from '../../writing/composer.ts';
import { draftKey, type Draft } from '../drafts/draft.ts';
import type { JobWork, Step } from '../run-job.ts';
import { draftsOf, ideaOf } from '../drafts/drafts-of.ts';
import { askComposer } from './ask-composer.ts';
import { eachOf } from './each-of.ts';
import { known } from './known.ts';

/** What texts a format shows. */
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

/** Writes the texts of each post, recorded one by one. */
export const writeCopy: Step = async (work) => {
  const open = draftsOf(work.job()).filter(({ copy, failure }) => !copy && failure === undefined);
  await eachOf(open, AT_ONCE, (draft) => writeOne(work, draft));
  return { next: 'creatives' };
};

/** A post that the composer cannot write leaves the others be. */
async function writeOne(work: JobWork, draft: Draft): Promise<void> {
  const { context, job, record } = work;
  const { source, brief } = known(job());
  const idea = ideaOf(job(), draft);
  if (!idea) throw new ComposerFailed('Nothing to write about was found in the source.', { isPassing: false });
  const at = `drafts.${draftKey(draft.index)}`;
  const of = { source, brief, idea, format: COPY_FORMATS[draft.format], index: draft.index };
  try {
    const { value: copy, usage } = await askComposer(work, (signal) => context.composer.copy(of, signal));
    await record({ [`${at}.copy`]: copy, [`${at}.language`]: await languageOf(copy.caption, brief.language) }, usage);
  } catch (error) {
    if (!(error instanceof ComposerFailed) || (error.isPassing && !work.isLastAttempt())) throw error;
    work.lease.log.warn({ err: error, index: draft.index }, 'the copy of a post cannot be written');
    await record({ [`${at}.failure`]: error.message });
  }
}
