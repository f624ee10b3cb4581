// `npm run deploy:render` runs it: writes the dashboards into the chart, where Grafana's sidecar and people find them.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { HELM } from './chart.ts';
import { toGrafana } from './dashboards/dashboard.ts';
import { dashboards } from './dashboards/index.ts';

export const fileOf = (name: string): string => path.join(HELM, 'fanfare/files/dashboards', `${name}.json`);
export const textOf = (dashboard: (typeof dashboards)[number]): string => `${JSON.stringify(toGrafana(dashboard), null, 2)}\n`;

export function writeDashboards(): void {
  for (const dashboard of dashboards) writeFileSync(fileOf(dashboard.name), textOf(dashboard));
}
