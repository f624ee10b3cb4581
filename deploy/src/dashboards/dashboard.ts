/** Dashboards for Grafana 10 and newer, in the JSON that it imports. Only what ours need of that format. */

/** A line of a panel. */
export interface Query {
  /** PromQL. `$namespace` selects the installation, `$__rate_interval` is Grafana's. */
  readonly expr: string;
  /** With `{{label}}`. */
  readonly legend: string;
  /** Shows what goes wrong or is seldom used, so that it has no data without it. */
  readonly emptyWhenHealthy?: true;
}

/** A unit of Grafana's: https://github.com/grafana/grafana/blob/main/packages/grafana-data/src/valueFormats/categories.ts */
export type Unit = 's' | 'reqps' | 'ops' | 'percentunit' | 'short' | 'bytes' | 'Bps';

export interface Panel {
  readonly title: string;
  /** What it means, and when to worry: shown at the panel's corner. */
  readonly about: string;
  readonly unit: Unit;
  readonly queries: readonly Query[];
  /** Where the line becomes red: what the alert of the same metric fires at. */
  readonly redFrom?: number;
  /** A single number instead of a graph. */
  readonly isNumber?: true;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Dashboard {
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

const WIDTH = 24;
const HEIGHT = 8;
const NUMBER_HEIGHT = 4;
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

/** The JSON model of a dashboard. The same input has the same output, so that a change shows what it changes. */
export function toGrafana({ name, title, rows }: Dashboard): object {
  let id = 0;
  let y = 0;
  const panels: object[] = [];
  for (const row of rows) {
    panels.push({ id: ++id, type: 'row', title: row.title, collapsed: false, panels: [], gridPos: { h: 1, w: WIDTH, x: 0, y: y++ } });
    const perLine = row.panels.every(({ isNumber }) => isNumber) ? Math.min(row.panels.length, 6) : Math.min(row.panels.length, 3);
    const width = WIDTH / perLine;
    const height = row.panels.every(({ isNumber }) => isNumber) ? NUMBER_HEIGHT : HEIGHT;
    for (const [at, panel] of row.panels.entries())
      panels.push({
        id: ++id,
        ...panelOf(panel),
        gridPos: { h: height, w: width, x: (at % perLine) * width, y: y + Math.floor(at / perLine) * height },
      });
    y += Math.ceil(row.panels.length / perLine) * height;
  }
  return {
    uid: `fanfare-${name}`,
    title: `Fanfare / ${title}`,
    tags: ['fanfare'],
    schemaVersion: 39,
    version: 1,
    editable: false,
    graphTooltip: 1,
    time: { from: 'now-3h', to: 'now' },
    refresh: '30s',
    links: [{ type: 'dashboards', title: 'Fanfare', tags: ['fanfare'], asDropdown: true, includeVars: true, keepTime: true }],
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' },
        {
          name: 'namespace',
          label: 'Namespace',
          type: 'query',
          datasource: DATASOURCE,
          // A metric of every service: an installation that has lost some of them is listed, too.
          query: { query: 'label_values(fanfare_mongodb_available, namespace)', refId: 'namespace' },
          refresh: 2,
          // One at a time: of several, the one that is well would hide the other one.
          includeAll: false,
          multi: false,
        },
      ],
    },
    panels,
  };
}

function panelOf({ title, about, unit, queries, redFrom, isNumber }: Panel): object {
  const steps = [
    { color: redFrom === undefined ? 'text' : 'green', value: null },
    ...(redFrom === undefined ? [] : [{ color: 'red', value: redFrom }]),
  ];
  return {
    type: isNumber ? 'stat' : 'timeseries',
    title,
    description: about,
    datasource: DATASOURCE,
    fieldConfig: {
      defaults: {
        unit,
        min: 0,
        thresholds: { mode: 'absolute', steps },
        custom: isNumber
          ? {}
          : { fillOpacity: 10, showPoints: 'never', ...(redFrom !== undefined && { thresholdsStyle: { mode: 'line' } }) },
      },
      overrides: [],
    },
    options: isNumber
      ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value', graphMode: 'area' }
      : { legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'] }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend }, at) => ({
      refId: String.fromCharCode(65 + at),
      datasource: DATASOURCE,
      expr,
      legendFormat: legend,
    })),
  };
}
