/** A text with the link behind it, on a line of its own, where the text does not hold it already. */
export function linkBehind(text: string, link: string): string {
  if (text.includes(link)) return text;
  return text.trim() === '' ? link : `${text}\n${link}`;
}
