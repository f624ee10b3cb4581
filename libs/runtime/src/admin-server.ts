import { createServer } from 'node:http';
import { parseAddress } from './address.ts';
import type { Health } from './telemetry/health.ts';
import { collectProcessMetrics, renderMetrics } from './telemetry/metrics.ts';

export interface AdminServer {
  readonly port: number;
  /** To be called when the process listens for everything that it serves: until then `/readyz` is red, so that nobody is sent to a closed port. */
  started(): void;
  stop(): Promise<void>;
}

/**
 * The operators' port. Never exposed to callers.
 * - `/livez`: the process runs.
 * - `/readyz`: it does all of its work, and in time; otherwise 503 and the reasons. Warnings in both cases. For alerts.
 * - `/readyz/calls`: the same without background work: whether this process should be sent calls. For whoever routes them.
 * - `/metrics`
 */
export async function startAdminServer(options: { service: string; address: string; health: Health }): Promise<AdminServer> {
  collectProcessMetrics(options.service);
  let isStarted = false;
  const server = createServer((request, response) => {
    const respond = (status: number, contentType: string, body: string) =>
      response.writeHead(status, { 'content-type': contentType }).end(body);
    const report = (found: Record<string, string>) => {
      const problems = isStarted ? found : { start: 'This process is still starting.', ...found };
      const ready = Object.keys(problems).length === 0;
      const body = { status: ready ? 'ok' : 'not_ready', problems, warnings: options.health.warnings() };
      respond(ready ? 200 : 503, 'application/json', JSON.stringify(body));
    };
    switch (request.url?.split('?')[0]) {
      case '/livez':
        return respond(200, 'application/json', '{"status":"ok"}');
      case '/readyz':
        return report(options.health.problems());
      case '/readyz/calls':
        return report(options.health.callProblems());
      case '/metrics':
        return void renderMetrics().then(
          ({ contentType, body }) => respond(200, contentType, body),
          () => respond(500, 'text/plain', 'could not collect metrics'),
        );
      default:
        return respond(404, 'application/json', '{"status":"not_found"}');
    }
  });
  const { host, port } = parseAddress(options.address);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const bound = server.address();
  return {
    port: typeof bound === 'object' && bound ? bound.port : port,
    started: () => void (isStarted = true),
    stop: () => new Promise<void>((resolve) => (server.close(() => resolve()), server.closeAllConnections())),
  };
}
