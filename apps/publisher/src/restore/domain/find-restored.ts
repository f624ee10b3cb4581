import type { Finding, State } from '@fanfare/connectors';

/**
 * Looks for the post of a restored delivery. Its stored progress is that of the backup: it may prove that the post was published from it, but the lost rows may have begun
 * anew, for example with another container. So the account's posts are searched too, and only if neither shows a post, the proof that there is none counts.
 */
export async function findRestored(read: (state: State) => Promise<Finding>, state: State): Promise<Finding> {
  const own = await read(state);
  if (own.proof === 'published' || own.candidates.length > 0 || Object.keys(state).length === 0) return own;
  const { candidates } = await read({});
  return candidates.length > 0 ? { proof: 'none', candidates } : own;
}
