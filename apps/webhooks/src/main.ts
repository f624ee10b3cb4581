import { runProcess } from '@fanfare/runtime';
import { loadConfig } from './config.ts';
import { createContext } from './context.ts';
import { startServer } from './server.ts';

await runProcess('webhooks', async (log) => {
  const config = loadConfig();
  log.level = config.logLevel;
  return startServer(await createContext(config, log));
});
