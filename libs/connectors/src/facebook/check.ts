import { unsupported, type CheckCombination } from '../checks/check-content.ts';
import { options } from './options.ts';
import { kindOf } from './progress.ts';

const OWN_HOSTS = /(^|\.)(facebook\.com|fb\.com)$/i;

/** Facebook rejects links to itself; a link beside media is not sent. It labels only reels: a video of the page would appear without the label. */
export const check: CheckCombination = ({ link, media, options: given }) => {
  const isOwn = media.length === 0 && link !== undefined && URL.canParse(link) && OWN_HOSTS.test(new URL(link).hostname);
  const chosen = options.safeParse(given ?? {}).data;
  const isUnlabelled = chosen?.is_ai_generated === true && kindOf({ media, options: chosen }) === 'video';
  return [
    ...(isOwn ? [unsupported('link', 'Facebook does not accept links to Facebook.')] : []),
    ...(isUnlabelled
      ? [unsupported('options.is_ai_generated', 'Facebook accepts this label for reels only, and this video is not published as a reel.')]
      : []),
  ];
};
