/**
 * Writes the Grafana dashboard, `deploy/grafana/portbook.json`, from its panels (`dashboard-panels.ts`) and from the limits
 * of the alerts. `npm run dashboard`
 */

import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LIMITS } from '../server/about/limits.ts'
import type { Panel } from './dashboard-panel.ts'
import { ROWS } from './dashboard-panels.ts'

/** The file of the dashboard. */
export const DASHBOARD = fileURLToPath(new URL('../deploy/grafana/portbook.json', import.meta.url))

const REF_IDS = 'ABCDEFGH'
const WIDTH = 24
const HEIGHTS: Readonly<Record<Panel['kind'], number>> = { stat: 4, timeseries: 8, table: 5 }
const SOURCE = { type: 'prometheus', uid: '${datasource}' }
// The version of Grafana's model of dashboards of Grafana 10 and 11; newer ones read it.
const SCHEMA_VERSION = 39

/** Returns the text of the dashboard. */
export function renderDashboard(): string {
  return `${JSON.stringify(newDashboard(), null, 2)}\n`
}

function newDashboard(): object {
  const panels: object[] = []
  let top = 0
  for (const { title, panels: own } of ROWS) {
    const id = panels.length + 1
    panels.push({
      id,
      type: 'row',
      title,
      collapsed: false,
      gridPos: { x: 0, y: top, w: WIDTH, h: 1 },
      panels: [],
    })
    top += 1
    let left = 0
    let height = 0
    for (const panel of own) {
      if (left + panel.width > WIDTH) {
        top += height
        left = 0
        height = 0
      }
      height = Math.max(height, HEIGHTS[panel.kind])
      const gridPos = { x: left, y: top, w: panel.width, h: HEIGHTS[panel.kind] }
      panels.push({ id: panels.length + 1, gridPos, ...toPanel(panel) })
      left += panel.width
    }
    top += height
  }
  return {
    uid: 'portbook',
    title: 'Portbook',
    description: 'The state of a Portbook installation. docs/guides/monitoring.md explains it.',
    tags: ['portbook'],
    schemaVersion: SCHEMA_VERSION,
    version: 1,
    editable: true,
    graphTooltip: 1,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    timezone: 'browser',
    annotations: { list: [] },
    links: [
      newLink('Guide: monitoring', '${portbook_url}/guides/monitoring'),
      newLink('Guide: alerts', '${portbook_url}/guides/alerts'),
    ],
    templating: { list: listVariables() },
    panels,
  }
}

function listVariables(): object[] {
  const all = { multi: true, includeAll: true, allValue: '.*' }
  return [
    { type: 'datasource', name: 'datasource', label: 'Data source', query: 'prometheus', hide: 0 },
    newQueryVariable('job', 'Installation', 'label_values(portbook_build_info, job)', {}),
    newQueryVariable(
      'instance',
      'Process',
      'label_values(portbook_build_info{job=~"$job"}, instance)',
      all,
    ),
    {
      type: 'textbox',
      name: 'portbook_url',
      label: 'Address of Portbook',
      description: 'For links to its guides',
      query: 'http://localhost:8080',
      hide: 0,
    },
  ]
}

function newQueryVariable(name: string, label: string, expr: string, more: object): object {
  return {
    type: 'query',
    name,
    label,
    datasource: SOURCE,
    query: { query: expr, refId: name },
    refresh: 2,
    sort: 1,
    hide: 0,
    ...more,
  }
}

function toPanel({ title, description, kind, unit, targets, limit }: Panel): object {
  const { alert } = limit === undefined ? { alert: undefined } : LIMITS[limit]
  return {
    type: kind,
    title,
    description,
    datasource: SOURCE,
    targets: targets.map(({ expr, legend }, at) => ({
      refId: REF_IDS.charAt(at),
      datasource: SOURCE,
      expr: expr.replaceAll('$process', 'job=~"$job", instance=~"$instance"'),
      ...(legend === undefined ? {} : { legendFormat: legend }),
      ...(kind === 'timeseries' ? { range: true } : { instant: true, range: false }),
      ...(kind === 'table' ? { format: 'table' } : {}),
    })),
    fieldConfig: { defaults: newDefaults(kind, unit, limit), overrides: [] },
    options: OPTIONS[kind],
    ...(kind === 'table' ? { transformations: TABLE_COLUMNS } : {}),
    ...(alert === undefined
      ? {}
      : {
          links: [newLink('What to do', `\${portbook_url}/guides/alerts#${alert.toLowerCase()}`)],
        }),
  }
}

function newDefaults(kind: Panel['kind'], unit: string, limit: Panel['limit']): object {
  const thresholds = { mode: 'absolute', steps: listSteps(limit) }
  const hasLimit = limit !== undefined && kind !== 'table'
  const color =
    kind === 'stat'
      ? { mode: hasLimit ? 'thresholds' : 'fixed', ...(hasLimit ? {} : { fixedColor: 'text' }) }
      : { mode: 'palette-classic' }
  const custom =
    kind === 'timeseries'
      ? {
          custom: {
            fillOpacity: 10,
            lineWidth: 1,
            showPoints: 'never',
            thresholdsStyle: { mode: hasLimit ? 'line' : 'off' },
          },
        }
      : {}
  return { unit, color, thresholds, ...(kind === 'timeseries' ? { min: 0 } : {}), ...custom }
}

/** The colours from the lowest value on: red beyond the limit of the alert, if there is one. */
function listSteps(limit: Panel['limit']): { color: string; value: number | null }[] {
  const { max, min }: { max?: number; min?: number } = limit === undefined ? {} : LIMITS[limit]
  if (min !== undefined) {
    return [
      { color: 'red', value: null },
      { color: 'green', value: min },
    ]
  }
  const rest = max === undefined ? [] : [{ color: 'red', value: max === 0 ? 1e-9 : max }]
  return [{ color: 'green', value: null }, ...rest]
}

const OPTIONS: Readonly<Record<Panel['kind'], object>> = {
  stat: {
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    colorMode: 'background',
    graphMode: 'none',
    textMode: 'value',
  },
  timeseries: {
    legend: { displayMode: 'list', placement: 'bottom', showLegend: true },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
  table: { showHeader: true },
}

const TABLE_COLUMNS = [
  {
    id: 'organize',
    options: {
      excludeByName: { Time: true },
      renameByName: { role: 'Role', version: 'Version', Value: 'Processes' },
    },
  },
]

function newLink(title: string, url: string): object {
  return {
    title,
    url,
    type: 'link',
    icon: 'doc',
    tags: [],
    tooltip: '',
    asDropdown: false,
    includeVars: false,
    keepTime: false,
    targetBlank: true,
  }
}

if (import.meta.main) writeFileSync(DASHBOARD, renderDashboard())
