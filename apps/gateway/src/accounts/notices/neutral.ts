import { UNSEEN, withDots } from '../../text/plain-name.ts';

/** Characters that change the direction of text, or end lines (Unicode: control, format, separators), except those that join letters and emoji. */
const FORMAT = /(?![\u200c\u200d\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Everything that mail programs turn into a link: a URL with a scheme, an email address, or a host name. */
const LINKS = /[a-z][a-z\d+.-]*:\/\/\S*|\S+@[^\s@]+\.\S+|(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+(?:[:/?#]\S*)?/giu;

/** Makes text of others safe to show in our mails, which readers trust: one line without links, of at most `max` characters. */
export function neutral(text: string, max: number): string {
  // Cut first, so that the expressions never run on a long text.
  const start = withDots(
    text
      .slice(0, max * 4)
      .replace(UNSEEN, ' ')
      .replace(FORMAT, ' '),
  );
  const characters = [...start.replace(/\s+/g, ' ').trim().replace(LINKS, '[link]')];
  const isWhole = characters.length <= max && text.length <= max * 4;
  return isWhole
    ? characters.join('')
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`;
}
