/** One instance for each database, context or the like: created at first use, and collected with it. */
export function onePer<K extends object, T extends object>(make: (owner: K) => T): (owner: K) => T {
  const known = new WeakMap<K, T>();
  return (owner) => {
    const one = known.get(owner) ?? make(owner);
    known.set(owner, one);
    return one;
  };
}
