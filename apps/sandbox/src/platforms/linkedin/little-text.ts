/** What the public reads of a commentary, and what the API hands back of it. */
export interface LittleText {
  shown: string;
  kept: string;
  /** What stands behind the sign that cut it off. */
  cut: string;
}

const elements: [RegExp, (found: RegExpExecArray) => string][] = [
  // An escaped sign, a mention, a hashtag by template or as it is, a run of plain text.
  [/\\([\s\S])/y, ([, sign = '']) => sign],
  [/@\[((?:\\.|[^[\]\\])+)\]\(urn:li:(?:person|organization):[\w-]+\)/y, ([, name = '']) => unescaped(name)],
  [/\{hashtag\|\\?[#＃]\|((?:\\.|[^|{}\\])+)\}/y, ([, tag = '']) => `#${unescaped(tag)}`],
  [/#([\p{L}\p{N}]+)/uy, ([, tag = '']) => `#${tag}`],
  [/[^\\|{}@[\]()<>#*_~]+/y, ([plain]) => plain],
];

/**
 * Reads LinkedIn's "little text": a reserved sign that is neither escaped nor part of an element does not fail, but ends the text there. Plain
 * hashtags are handed back as templates.
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

/** In characters that are shown, as no documentation counts the markup; what is cut off counts as it was sent. */
export function lengthOf(commentary: string): number {
  const { shown, cut } = readLittleText(commentary);
  return [...shown, ...cut].length;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const unescaped = (text: string) => text.replace(/\\([\s\S])/g, '$1');
