import { loadConfig } from './config.ts';
import { createContext } from './context.ts';
import { startServer } from './server.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  const context = createContext(config);
  const server = await startServer(context);
  context.log.info({ url: server.url, smtp_port: server.smtpPort, data_file: config.dataFile }, 'the sandbox is listening');

  let stopping = false;
  const stop = (why: string) => {
    if (stopping) return;
    stopping = true;
    context.log.info({ why }, 'the sandbox is stopping');
    void server.stop().then(() => process.exit(0));
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  if (process.send) process.on('disconnect', () => stop('the parent process has ended'));
}

main().catch((error: unknown) => {
  console.error(`The sandbox cannot start. ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
