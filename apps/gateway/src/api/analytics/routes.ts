import type { Route } from '../../http/route.ts';
import { reportRoutes } from './report-routes.ts';
import { statsRoutes } from './stats-routes.ts';

export const analyticsRoutes: readonly Route[] = [...statsRoutes, ...reportRoutes];
