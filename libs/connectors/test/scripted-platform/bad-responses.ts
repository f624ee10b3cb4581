import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ScriptedResponse } from './scripted-platform.ts';

const page = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>Bad gateway</h1></body></html>';
export const SLOW = 'a response that drips';
const elsewhere = 'https://elsewhere.example/collect';

/**
 * What comes back when the response is not the platform's, or not all of it. Nothing in it says whether the call was carried out. All connectors read
 * these by one HTTP client.
 */
export const brokenResponses: Readonly<Record<string, ScriptedResponse>> = {
  'nothing, the connection closed': 'drop',
  'a response that breaks off': (_request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
      .write('{"id":"1', () => response.destroy()),
  'a response that breaks off in a chunk': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json' }).write('{"id":"1', () => response.destroy()),
  [SLOW]: drip,
  'a response of 50 MB': pour,
  'compressed bytes that were not requested': (_request, response) =>
    void response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(gzipSync('{"id":"1"}')),
  ...Object.fromEntries(
    [301, 302, 307, 308].map((status) => [`a redirect (${status}) to another host`, { status, headers: { location: elsewhere } }]),
  ),
  'a redirect to the same host': (request, response) =>
    void response.writeHead(307, { location: `http://${request.headers.host ?? ''}${request.url ?? ''}` }).end(),
  'a redirect to plain HTTP': (request, response) =>
    void response.writeHead(308, { location: `http:/${request.url ?? ''}` }).end('{"id":"1"}'),
};

/** The same, where the response is whole and each connector's own reader of it decides. */
export const foreignResponses: Readonly<Record<string, ScriptedResponse>> = {
  'half of a JSON': { text: '{"id":"1', headers: { 'content-type': 'application/json' } },
  'a page with status 200': { text: page },
  'a page with status 400': { status: 400, text: page },
  'a page with status 401': { status: 401, text: page },
  'a page with status 403': { status: 403, text: page },
  'a page with status 404': { status: 404, text: page },
  'a page with status 502': { status: 502, text: page },
  'a page that says it is JSON': { text: page, headers: { 'content-type': 'application/json' } },
  'JSON null': { text: 'null', headers: { 'content-type': 'application/json' } },
  'a JSON list': { json: [] },
  'a JSON text': { json: 'ok' },
};

/** A byte now and then, for ever. */
function drip(_request: unknown, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 10);
  response.on('close', () => clearInterval(timer));
}

const megabyte = Buffer.alloc(1024 * 1024, 0x20);

/** As fast as the caller takes it. */
function pour(_request: unknown, response: ServerResponse): void {
  let written = 0;
  const more = () => {
    while (written < 50 && !response.destroyed) if ((written++, !response.write(megabyte))) return void response.once('drain', more);
    response.end('{"id":"1"}');
  };
  response.writeHead(200, { 'content-type': 'application/json' });
  more();
}
