import type { Route } from '../http/route.ts';
import { analyticsRoutes } from './analytics/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { businessRoutes } from './businesses/routes.ts';
import { categoryRoutes } from './categories/routes.ts';
import { designRoutes } from './designs/routes.ts';
import { feedbackRoutes } from './feedback/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { fileRoutes } from './files/routes.ts';
import { folderRoutes } from './folders/routes.ts';
import { generationRoutes } from './generation/routes.ts';
import { healthRoutes } from './health/routes.ts';
import { integrationRoutes } from './integrations/routes.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { meRoutes } from './me/routes.ts';
import { mediaRoutes } from './media/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { oidcRoutes } from './oidc/routes.ts';
import { exportRoutes } from './organizations/export-routes.ts';
import { organizationRoutes } from './organizations/routes.ts';
import { planRoutes } from './plans/routes.ts';
import { platformRoutes } from './platforms/routes.ts';
import { queueRoutes } from './queues/routes.ts';
import { postRoutes } from './posts/routes.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { templateRoutes } from './templates/routes.ts';
import { testClockRoutes } from './test-clock/routes.ts';
import { timelineRoutes } from './timeline/routes.ts';
import { topicRoutes } from './topics/routes.ts';
import { usageRoutes } from './usage/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';

/** The whole API. */
export const routes: readonly Route[] = [
  ...businessRoutes,
  ...topicRoutes,
  ...categoryRoutes,
  ...fileRoutes,
  ...folderRoutes,
  ...postRoutes,
  ...queueRoutes,
  ...timelineRoutes,
  ...integrationRoutes,
  ...analyticsRoutes,
  ...designRoutes,
  ...templateRoutes,
  ...generationRoutes,
  ...platformRoutes,
  ...mediaRoutes,
  ...eventRoutes,
  ...webhookRoutes,
  ...keyRoutes,
  ...organizationRoutes,
  ...exportRoutes,
  ...planRoutes,
  ...usageRoutes,
  ...auditRoutes,
  ...feedbackRoutes,
  ...testClockRoutes,
  ...healthRoutes,
  ...signInRoutes,
  ...sessionRoutes,
  ...oidcRoutes,
  ...meRoutes,
  ...memberRoutes,
  ...invitationRoutes,
];
