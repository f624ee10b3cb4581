/** A commentary as the public sees it, and as the API returns it. */
interface LittleText {
  shown: string;
  kept: string;
  /** The text after the character that truncated it. */
  cut: string;
}

const elements: [RegExp, (found: RegExpExecArray) => string][] = [
  // An escaped character, a mention, a hashtag (as a template or plain), or plain text.
  [/\\([\s\S])/y, ([, sign = '']) => sign],
  [/@\[((?:\\.|[^[\]\\])+)\]\(urn:li:(?:person|organization):[\w-]+\)/y, ([, name = '']) => unescaped(name)],
  [/\{hashtag\|\\?[#＃]\|((?:\\.|[^|{}\\])+)\}/y, ([, tag = '']) => `#${unescaped(tag)}`],
  [/#([\p{L}\p{N}]+)/uy, ([, tag = '']) => `#${tag}`],
  [/[^\\|{}@[\]()<>#*_~]+/y, ([plain]) => plain],
];

/**
 * Parses LinkedIn's "little text": a reserved character that is neither escaped nor part of an element does not fail but truncates the text. Plain
 * hashtags are returned as templates.
 */
export function readLittleText(commentary: string): LittleText {
  let shown = '';
  let kept = '';
  let at = 0;
  while (at < commentary.length) {
    const found = elements
      .map(([pattern, show]) => ({ match: matchAt(pattern, commentary, at), show }))
      .find(({ match }) => match !== null);
    if (!found?.match) break;
    const [raw] = found.match;
    shown += found.show(found.match);
    kept += /^#/.test(raw) ? `{hashtag|\\#|${raw.slice(1)}}` : raw;
    at += raw.length;
  }
  return { shown, kept, cut: commentary.slice(at) };
}

/** In visible characters, because no documentation counts the markup; a truncated rest counts as sent. */
export function lengthOf(commentary: string): number {
  const { shown, cut } = readLittleText(commentary);
  return [...shown, ...cut].length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const unescaped = (text: string) => text.replace(/\\([\s\S])/g, '$1');
