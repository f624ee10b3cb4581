import type { Content } from '../connector.ts';
import { fitText } from './fit-text.ts';
import type { TextLimit } from '../limits.ts';

/** The override's title, or the first non-blank line of the caption, cut to the limit. For platforms that require a title. */
export function titleOf({ title, caption }: Pick<Content, 'title' | 'caption'>, limit: TextLimit | undefined): string | undefined {
  if (title !== undefined && title.trim() !== '') return title.trim();
  const line = caption
    .split(/\r\n|\r|\n/)
    .map((one) => one.trim())
    .find((one) => one !== '');
  return line === undefined || !limit ? line : fitText(line, limit);
}
