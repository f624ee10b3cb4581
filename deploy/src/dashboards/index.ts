import { api } from './api.ts';
import type { Dashboard } from './dashboard.ts';
import { kafka } from './kafka.ts';
import { mongodb } from './mongodb.ts';
import { overview } from './overview.ts';
import { publishing } from './publishing.ts';
import { webhooks } from './webhooks.ts';

export const dashboards: readonly Dashboard[] = [overview, publishing, api, kafka, mongodb, webhooks];
