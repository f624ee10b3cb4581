const MAX_CHARACTERS = 20_000;

/** Cuts a text to the maximum length, at the end of a sentence if one is near. */
export function shortened(text: string, most = MAX_CHARACTERS): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const end = Math.max(...['. ', '! ', '? ', '\n', '。', '।', '؟'].map((mark) => cut.lastIndexOf(mark)));
  return (end > most * 0.8 ? cut.slice(0, end + 1) : cut.replace(/\S+$/, '')).trim() || cut;
}
