// Renders templates in every aspect ratio and script, as an HTML page: `npm run templates:preview`. Files of custom templates can follow after `--`.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { contactSheet } from './rendering/contact-sheet.ts';
import { paintPage } from './rendering/paint-page.ts';
import { THEMES } from './rendering/paint/theme.ts';
import { BUILTIN_TEMPLATES } from './templates/builtin-templates.ts';
import { sampleContent, SAMPLES, SCRIPTS } from './templates/sample-content.ts';
import { ASPECT_RATIOS, templateSchema, type Page, type Template } from './templates/template.ts';

const WIDTH = 300;
const root = path.resolve(import.meta.dirname, '../../..');
const directory = path.join(root, '.fanfare/templates');

try {
  await writePreview(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function writePreview(files: readonly string[]): Promise<void> {
  const templates = files.length > 0 ? files.map(readTemplate) : [...BUILTIN_TEMPLATES];
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const sections: string[] = [];
  for (const [index, [id, template]] of templates.entries()) {
    const pages = [template.page, template.inner_page, template.last_page].filter((page) => page !== undefined);
    for (const [at, page] of pages.entries()) {
      const name = `${index}-${at}.webp`;
      writeFileSync(path.join(directory, name), await sheetOf(page, THEMES[index % THEMES.length] ?? THEMES[0]));
      const what = pages.length > 1 ? `, ${['first', 'inner', 'last'][at]} page` : '';
      sections.push(`<h2>${escape(`${template.name} (${id}, ${template.format}${what})`)}</h2><img loading="lazy" alt="" src="${name}">`);
    }
    console.log(`  ${id}`);
  }
  const file = path.join(directory, 'index.html');
  writeFileSync(
    file,
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Templates</title>
<style>body { margin: 2rem; font: 16px/1.5 system-ui, sans-serif } img { max-width: 100% }</style>
<h1>Templates</h1><p>Columns: ${ASPECT_RATIOS.join(', ')}. Rows: ${SCRIPTS.join(', ')}.</p>${sections.join('\n')}`,
  );
  console.log(`\nfile://${file}`);
}

/** A row for each script, a column for each aspect ratio. */
function sheetOf(page: Page, theme: (typeof THEMES)[number]): Promise<Uint8Array> {
  const rows = SCRIPTS.map((script) =>
    ASPECT_RATIOS.map((ratio) => {
      const look = { theme, fonts: [], logo: undefined, businessName: 'Padaria Aurora', language: SAMPLES[script].language };
      return paintPage(page, ratio, sampleContent(page, script), look).canvas;
    }),
  );
  return contactSheet(rows, WIDTH).encode('webp', 85);
}

/** npm runs this in the repository root; relative paths are relative to the directory in which the user ran npm. */
function readTemplate(given: string): readonly [string, Template] {
  // eslint-disable-next-line no-restricted-syntax -- set by npm, and no setting
  const file = path.resolve(process.env['INIT_CWD'] ?? '.', given);
  const parsed = templateSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!parsed.success) throw new Error(`${file} is not a template:\n${z.prettifyError(parsed.error)}`);
  return [path.basename(file, '.json'), parsed.data];
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
