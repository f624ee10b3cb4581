import { UNSEEN, withDots } from '../../text/plain-name.ts';

/** Characters that turn around how others are read, or end lines (Unicode: control, format, separators); what joins letters and emoji stays. */
const FORMAT = /(?![\u200c\u200d\u{e0020}-\u{e007f}])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
/** Whatever a mail program makes a link of: with a scheme, a mail address, or a host name by itself. */
const LINKS = /[a-z][a-z\d+.-]*:\/\/\S*|\S+@[^\s@]+\.\S+|(?:[\p{L}\p{N}_-]+\.)+\p{L}[\p{L}\p{N}-]+(?:[:/?#]\S*)?/giu;

/** Makes others' words safe to show in a mail of ours, which its reader trusts: one line without links, of `max` characters at most. */
export function neutral(text: string, max: number): string {
  // What is shown is short: no expression has to look at more.
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
