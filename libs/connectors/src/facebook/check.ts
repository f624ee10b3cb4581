import { unsupported, type CheckCombination } from '../check-content.ts';

const OWN_HOSTS = /(^|\.)(facebook\.com|fb\.com)$/i;

/** Facebook refuses posts that link to itself. A link beside media is not sent. */
export const check: CheckCombination = ({ link, media }) => {
  const isOwn = media.length === 0 && link !== undefined && URL.canParse(link) && OWN_HOSTS.test(new URL(link).hostname);
  return isOwn ? [unsupported('link', 'Facebook takes no links to itself.')] : [];
};
