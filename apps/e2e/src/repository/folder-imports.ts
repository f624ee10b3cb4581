import path from 'node:path';
import ts from 'typescript';

/** One file that imports another, both by their paths in the examined folder. */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Whether it does not exist at runtime: only types are imported. */
  readonly isOfTypes: boolean;
}

/** The imports among these sources, by their paths: `import`, `export … from` and `import()`. */
export function importsIn(sources: ReadonlyMap<string, string>): Import[] {
  return [...sources].flatMap(([file, text]) => {
    const found: Import[] = [];
    const add = (specifier: ts.Expression | undefined, isOfTypes: boolean) => {
      if (!specifier || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return;
      found.push({ from: file, to: path.posix.join(path.posix.dirname(file), specifier.text), isOfTypes });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, importsTypes(node));
      else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, exportsTypes(node));
      else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) add(node.arguments[0], false);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
    return found;
  });
}

function importsTypes({ importClause: clause }: ts.ImportDeclaration): boolean {
  if (!clause) return false;
  const named = clause.namedBindings;
  const areAllTypes = named !== undefined && ts.isNamedImports(named) && named.elements.every((one) => one.isTypeOnly);
  return clause.phaseModifier === ts.SyntaxKind.TypeKeyword || (!clause.name && areAllTypes);
}

function exportsTypes({ isTypeOnly, exportClause: clause }: ts.ExportDeclaration): boolean {
  return isTypeOnly || (clause !== undefined && ts.isNamedExports(clause) && clause.elements.every((one) => one.isTypeOnly));
}

/**
 * Folders that import each other by value, at every level: two of them, or several in a ring. A folder includes everything in it; compared with its
 * own subfolders, only its direct files count, without its `index.ts`. A file at the top counts as a folder of its own.
 * @returns a description of each, with one import for each step
 */
export function ringsOfFolders(imports: readonly Import[]): string[] {
  const steps = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    const [from, to] = foldersOf(one);
    if (one.isOfTypes || isFace(one) || from === to) continue;
    if (!steps.get(from)?.has(to)) steps.set(from, (steps.get(from) ?? new Map<string, Import>()).set(to, one));
  }
  const rings = new Map<string, string>();
  for (const folder of [...steps.keys()].sort()) {
    const ring = shortestRing(steps, folder);
    const key = ring?.toSorted().join();
    if (ring && key !== undefined && !rings.has(key)) rings.set(key, inWords(ring, steps));
  }
  return [...rings.values()];
}

/** The `index.ts` of a folder says what others may use of it: that is not an import of its own. */
const isFace = ({ from, to }: Import): boolean => path.posix.basename(from) === 'index.ts' && to.startsWith(`${path.posix.dirname(from)}/`);

/** The two sibling folders that contain the importing and the imported file; or one of them, and the folder that contains both. */
function foldersOf({ from, to }: Import): [string, string] {
  const [one, other] = [from.split('/'), to.split('/')];
  let shared = 0;
  while (shared < one.length - 1 && shared < other.length - 1 && one[shared] === other[shared]) shared++;
  const below = (parts: string[]) => parts.slice(0, parts.length === 1 ? 1 : Math.min(shared + 1, parts.length - 1)).join('/');
  return [below(one), below(other)];
}

/** The folders of a ring, starting with this one; undefined if no path leads back to it. */
function shortestRing(steps: ReadonlyMap<string, ReadonlyMap<string, Import>>, start: string): string[] | undefined {
  const ways = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of steps.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return way;
      if (!seen.has(next)) ways.push([...way, next]);
      seen.add(next);
    }
  }
  return undefined;
}

function inWords(ring: readonly string[], steps: ReadonlyMap<string, ReadonlyMap<string, Import>>): string {
  const imports = ring.map((folder, n) => steps.get(folder)?.get(ring[(n + 1) % ring.length] ?? ''));
  return `${ring.join(', ')}: ${imports.map((one) => `${one?.from} imports ${one?.to}`).join(', and ')}`;
}
