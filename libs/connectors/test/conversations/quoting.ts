import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Platform } from '../../src/platform.ts';
import { conversationsOf } from './conversations.ts';
import type { ScriptedResponse } from '../scripted-platform/scripted-platform.ts';

/** The platform's own error, in its own shape, with the request in its words. */
export function quoting(platform: Platform, status: number): ScriptedResponse {
  return (request: IncomingMessage, response: ServerResponse) => {
    const words = `Bad request: ${request.method} ${decodeURIComponent(request.url ?? '')} ${request.url} ${JSON.stringify(request.headers)}`;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(conversationsOf(platform).rejection(words)));
  };
}
