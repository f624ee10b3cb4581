/** Appends the link to a text on its own line, unless the text contains it. */
export function linkBehind(text: string, link: string): string {
  if (text.includes(link)) return text;
  return text.trim() === '' ? link : `${text}\n${link}`;
}
