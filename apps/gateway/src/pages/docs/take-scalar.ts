/**
 * Writes gen/scalar.js.gz, the script of the docs page. It is extracted from Scalar's plug-in for Fastify, which contains the script unchanged and needs
 * 30 packages; @scalar/api-reference, its source, needs 209 packages of 240 MB.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import plugin from '@scalar/fastify-api-reference';

const scripts = new Map<string, string>();

/** The part of Fastify's interface that the plug-in uses. */
const recorder = {
  initialConfig: {},
  route({ url, handler }: { url: string; handler: (request: object, reply: object) => unknown }) {
    if (!url.endsWith('.js')) return;
    const reply = { header: () => reply, send: (script: string) => scripts.set(url, script) };
    handler({}, reply);
  },
};
type Register = (fastify: typeof recorder, options: object, done: () => void) => unknown;
(plugin as unknown as Register)(recorder, { configuration: { url: '/' } }, () => {});

const [script, ...more] = scripts.values();
if (script === undefined || more.length > 0 || !script.includes('createApiReference')) {
  throw new Error(
    "Scalar's plug-in no longer contains its script in the expected place: check what changed in @scalar/fastify-api-reference.",
  );
}
const folder = new URL('gen/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('scalar.js.gz', folder), gzipSync(script, { level: 9 }));
