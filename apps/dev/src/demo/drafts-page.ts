import type { GeneratedDraft, GenerationJob } from './generate.ts';

/** A page with the generated drafts, each as people would see it. */
export function draftsPage(idea: string, { composer, data }: GenerationJob): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Drafts: ${escape(idea)}</title>
<style>
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #1c1e21; background: #f2f3f5 }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1.25rem }
article { background: #fff; border-radius: .75rem; overflow: hidden; box-shadow: 0 1px 3px #0002 }
.media { display: flex; overflow-x: auto } .media > * { width: 100%; flex: none; display: block }
p { margin: 1rem; white-space: pre-line } .facts { color: #606770; font-size: .875rem }
</style></head><body><h1>${escape(idea)}</h1><p>Drafts by the composer “${escape(composer)}”. None of them is published.</p><main>
${data.map(draft).join('\n')}
</main></body></html>`;
}

function draft({ caption, creative_format: format, rendered_urls: urls, score }: GeneratedDraft): string {
  const media = urls.map((url) => `<img alt="" src="${escape(url)}">`);
  const facts = [format, urls.length > 1 ? `${urls.length} pages` : '', score ? `score ${score.overall}` : ''].filter(
    (fact) => fact !== '',
  );
  return `<article><div class="media">${media.join('')}</div><p>${escape(caption)}</p><p class="facts">${escape(facts.join(' · '))}</p></article>`;
}

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
