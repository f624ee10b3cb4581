import express from 'express';

// A minimal Express server that sends one file from its disk. Started by sections/library/downloads.ts.
const { FLOOR_FILES_PORT, FLOOR_FILE = '' } = process.env;
const app = express();
app.disable('x-powered-by');
app.get('/file', (_request, response) => response.sendFile(FLOOR_FILE));
app.get('/readyz', (_request, response) => void response.sendStatus(200));
app.listen(Number(FLOOR_FILES_PORT), '127.0.0.1');
process.on('disconnect', () => process.exit());
process.on('SIGTERM', () => process.exit());
