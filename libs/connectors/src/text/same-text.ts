/** Whether a platform's copy of a text is ours: platforms normalize, trim and fold white space. */
export function sameText(ours: string, theirs: string): boolean {
  return folded(ours) === folded(theirs);
}

/** The same, if the platform's copy is truncated after this many characters. */
export function sameBeginning(ours: string, theirs: string): boolean {
  return folded(ours).startsWith(folded(theirs));
}

function folded(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
