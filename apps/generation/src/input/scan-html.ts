import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

interface Scanned {
  readonly elements: number;
  /** Maximum nesting depth of elements. */
  readonly depth: number;
  /** All text, without tags. */
  readonly text: string;
}

const SILENT = new Set(['script', 'style', 'noscript', 'template', 'svg', 'title']);
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
const MAX_TEXT = 200_000;

/** Reads a page once from start to end, so that the time grows only linearly with its length, for any input. */
export function scanHtml(html: string): Scanned {
  let elements = 0;
  let deepest = 0;
  let depth = 0;
  let silent = 0;
  // Joined once at the end.
  const pieces: string[] = [];
  let length = 0;
  let isApart = true;
  const nameAt = (start: number, end: number) => html.slice(start, end).toLowerCase();
  const say = (part: string) => {
    if (silent > 0 || length >= MAX_TEXT) return;
    pieces.push(part);
    length += part.length;
    isApart = false;
  };
  const apart = () => {
    if (!isApart) say(' ');
    isApart = true;
  };
  const ignore = () => undefined;
  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      const name = nameAt(start, end);
      elements++;
      if (!VOID.has(name)) deepest = Math.max(deepest, ++depth);
      if (SILENT.has(name)) silent++;
      apart();
    },
    onclosetag(start, end) {
      depth--;
      if (SILENT.has(nameAt(start, end))) silent = Math.max(0, silent - 1);
      apart();
    },
    ontext: (start, end) => say(html.slice(start, end)),
    ontextentity: (codepoint) => say(String.fromCodePoint(codepoint)),
    ...{ onattribdata: ignore, onattribentity: ignore, onattribend: ignore, onattribname: ignore, oncdata: ignore, oncomment: ignore },
    ...{ ondeclaration: ignore, onend: ignore, onopentagend: ignore, onprocessinginstruction: ignore, onselfclosingtag: ignore },
  };
  const tokenizer = new Tokenizer({ decodeEntities: true }, callbacks);
  tokenizer.write(html);
  tokenizer.end();
  return { elements, depth: deepest, text: pieces.join('') };
}
